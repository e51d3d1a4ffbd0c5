import { useDeferredValue, useMemo, useRef, useState } from 'react';

import { Button } from '../../ui/button.tsx';
import { CallFailure } from '../../ui/call-failure.tsx';
import { translateCount } from '../../ui/translate-count.ts';
import { usePreferences } from '../../ui/use-preferences.ts';
import { useTranslate } from '../../ui/use-translate.ts';
import { EmptyState } from '../empty-state.tsx';
import { fileName } from '../file-name.ts';
import { saveFile } from '../save-file.ts';
import { ViewHeading } from '../view-heading.tsx';
import { DurationPlot } from './duration-plot.tsx';
import { MessageDetails } from './message-details.tsx';
import { filterMessages, noFilter } from './message-filter.ts';
import { MessageFilters } from './message-filters.tsx';
import { MessageTable } from './message-table.tsx';
import styles from './messages-view.module.css';
import { useMessages } from './use-messages.ts';

/** The messages that pass between pages and worker, live. Never what is said in them. */
export function MessagesView() {
  const t = useTranslate();
  const preferences = usePreferences();
  const [isPaused, setIsPaused] = useState(false);
  const [filter, setFilter] = useState(noFilter);
  const [openKey, setOpenKey] = useState<number>();
  const opener = useRef<Element>(null);
  const { messages, dropped, error, retry, clear } = useMessages(isPaused);
  const shown = useDeferredValue(useMemo(() => filterMessages(messages, filter), [messages, filter]));
  const open = messages.find(({ key }) => key === openKey);
  const theme = preferences.status === 'ready' ? preferences.value.theme : undefined;
  const isOff = preferences.status === 'ready' && !preferences.value.recordMessages;

  function openMessage(key: number): void {
    opener.current = document.activeElement;
    setOpenKey(key);
  }

  function closeMessage(): void {
    setOpenKey(undefined);
    if (opener.current instanceof HTMLElement) opener.current.focus();
  }

  return (
    <>
      <ViewHeading title={t('messages')} />
      <div className={styles['view']}>
        <p>
          {isOff ? t('messages_off') : t('messages_intro')} <a href="#/preferences">{t('messages_switch')}</a>
        </p>
        <CallFailure state={error ? { status: 'failed', error, retry } : { status: 'ready' }} />
        {messages.length === 0 ? (
          <EmptyState>{t(isOff ? 'messages_empty_off' : 'messages_empty')}</EmptyState>
        ) : (
          <>
            <DurationPlot key={theme} messages={shown} />
            <MessageFilters messages={messages} filter={filter} onChange={setFilter} />
            <div className={styles['bar']}>
              <p role="status">
                {translateCount(t, 'messages_shown', shown.length)}
                {dropped > 0 && ` ${translateCount(t, 'messages_dropped', dropped)}`}
              </p>
              <Button onPress={() => setIsPaused(!isPaused)}>
                {t(isPaused ? 'messages_go_on' : 'messages_pause')}
              </Button>
              <Button onPress={clear}>{t('messages_clear')}</Button>
              <Button
                onPress={() =>
                  saveFile(
                    fileName('messages'),
                    shown.map(({ key, ...record }) => record),
                  )
                }
              >
                {t('export')}
              </Button>
            </div>
            {shown.length === 0 ? (
              <EmptyState>{t('messages_none_match')}</EmptyState>
            ) : (
              <MessageTable messages={shown} openKey={openKey} onOpen={openMessage} />
            )}
            {open && <MessageDetails key={open.key} message={open} onClose={closeMessage} />}
          </>
        )}
      </div>
    </>
  );
}
