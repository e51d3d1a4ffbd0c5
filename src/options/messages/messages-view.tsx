import { useDeferredValue, useMemo, useRef, useState } from 'react';

import { Button } from '../../ui/button.tsx';
import { CallFailure } from '../../ui/call-failure.tsx';
import { translateCount } from '../../ui/translate-count.ts';
import type { MessageKey } from '../../ui/translate.ts';
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
  const scroller = useRef<HTMLDivElement>(null);
  const { messages, dropped, error, retry, clear } = useMessages(isPaused);
  const shown = useDeferredValue(useMemo(() => filterMessages(messages, filter), [messages, filter]));
  const open = messages.find(({ key }) => key === openKey);
  const theme = preferences.status === 'ready' ? preferences.value.theme : undefined;
  const isOn = preferences.status === 'ready' && preferences.value.recordMessages;
  const isOff = preferences.status === 'ready' && !preferences.value.recordMessages;

  function openMessage(key: number): void {
    opener.current = document.activeElement;
    setOpenKey(key);
  }

  function closeMessage(): void {
    setOpenKey(undefined);
    const back = opener.current?.isConnected === true ? opener.current : scroller.current;
    if (back instanceof HTMLElement) back.focus();
  }

  function exportShown(): void {
    saveFile(
      fileName('messages'),
      shown.map(({ key, ...record }) => record),
    );
  }

  return (
    <>
      <ViewHeading title={t('messages')} />
      <div className={styles['view']}>
        <p>
          {isOff ? t('messages_off') : t('messages_intro')} <a href="#/preferences">{t('messages_switch')}</a>
        </p>
        <CallFailure state={error ? { status: 'failed', error, retry } : { status: 'ready' }} />
        {messages.length > 0 && (
          <>
            <DurationPlot key={theme} messages={shown} />
            <MessageFilters messages={messages} filter={filter} onChange={setFilter} />
          </>
        )}
        {(isOn || isPaused || messages.length > 0) && (
          <div className={styles['bar']}>
            {/* While messages come it changes too often to be read out. */}
            <p role={isPaused ? 'status' : undefined}>
              {translateCount(t, 'messages_shown', shown.length)}
              {dropped > 0 && ` ${translateCount(t, 'messages_dropped', dropped)}`}
            </p>
            <Button onPress={() => setIsPaused(!isPaused)}>
              {t(isPaused ? 'messages_go_on' : 'messages_pause')}
            </Button>
            <Button onPress={clear}>{t('messages_clear')}</Button>
            <Button onPress={exportShown}>{t('messages_save')}</Button>
          </div>
        )}
        {shown.length === 0 ? (
          <EmptyState>{t(emptyText())}</EmptyState>
        ) : (
          <MessageTable messages={shown} openKey={openKey} onOpen={openMessage} scroller={scroller} />
        )}
        {open && <MessageDetails key={open.key} message={open} onClose={closeMessage} />}
      </div>
    </>
  );

  function emptyText(): MessageKey {
    if (messages.length > 0) return 'messages_none_match';
    return isOff ? 'messages_empty_off' : 'messages_empty';
  }
}
