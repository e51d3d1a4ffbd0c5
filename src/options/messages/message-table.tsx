import { useVirtualizer } from '@tanstack/react-virtual';
import type { RefObject } from 'react';

import { useTranslate } from '../../ui/extension.ts';
import { formatDuration } from '../../ui/text.ts';
import styles from './messages.module.css';
import type { Message } from './use-messages.ts';

interface MessageTableProps {
  /** As they are to be shown. */
  readonly messages: readonly Message[];
  readonly openKey: number | undefined;
  readonly onOpen: (key: number) => void;
  /** What scrolls the rows: it stays when a row that was opened is no longer in the document. */
  readonly scroller: RefObject<HTMLDivElement | null>;
}

/** Outcomes that are not failures: an answer, or that the page stopped listening. */
const ENDINGS: ReadonlySet<string> = new Set(['value', 'end', 'ABORTED', 'DISCONNECTED']);

/** Pixels of a row. */
const ROW = 32;

/** Only the rows that can be seen are in the document, however many there are. */
export function MessageTable({ messages, openKey, onOpen, scroller }: MessageTableProps) {
  const t = useTranslate();
  const language = t('text_language');
  // oxlint-disable-next-line react/incompatible-library -- no compiler memoizes this component
  const virtualizer = useVirtualizer({
    count: messages.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW,
    getItemKey: (index) => messages[index]?.key ?? index,
    overscan: 10,
  });

  return (
    <div
      role="table"
      aria-label={t('messages')}
      aria-rowcount={messages.length + 1}
      className={styles['table']}
    >
      <div role="rowgroup">
        <div role="row" aria-rowindex={1} className={styles['head']}>
          <span role="columnheader" aria-sort="descending">
            {t('message_at')}
          </span>
          <span role="columnheader">{t('message_name')}</span>
          <span role="columnheader">{t('message_kind')}</span>
          <span role="columnheader">{t('message_caller')}</span>
          <span role="columnheader">{t('message_outcome')}</span>
          <span role="columnheader">{t('message_duration')}</span>
        </div>
      </div>
      <div
        ref={scroller}
        role="rowgroup"
        aria-label={t('messages_rows')}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls has to be reached by keyboard
        tabIndex={0}
        className={styles['scroller']}
      >
        <div role="presentation" style={{ blockSize: virtualizer.getTotalSize() }}>
          {virtualizer.getVirtualItems().map(({ index, key, start }) => {
            const message = messages[index];
            return (
              message && (
                <div
                  key={String(key)}
                  role="row"
                  aria-rowindex={index + 2}
                  data-open={message.key === openKey}
                  className={styles['row']}
                  style={{ transform: `translateY(${start}px)` }}
                >
                  <span role="cell">{formatTime(message.at, language, 'millisecond')}</span>
                  <span role="cell">
                    <button type="button" className={styles['name']} onClick={() => onOpen(message.key)}>
                      {message.name}
                    </button>
                  </span>
                  <span role="cell">{message.kind}</span>
                  <span role="cell">{message.caller}</span>
                  <span role="cell" data-failed={!ENDINGS.has(message.outcome)}>
                    {message.outcome}
                  </span>
                  <span role="cell">{formatDuration(message.duration, language)}</span>
                </div>
              )
            );
          })}
        </div>
      </div>
    </div>
  );
}

/** A moment as a person reads it in that language, to the millisecond or to the second. */
export function formatTime(at: number, language: string, step: 'millisecond' | 'second'): string {
  return new Intl.DateTimeFormat(language, {
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    ...(step === 'millisecond' && { fractionalSecondDigits: 3 }),
    hourCycle: 'h23',
  }).format(at);
}
