import { useVirtualizer } from '@tanstack/react-virtual';
import { useMemo, useRef } from 'react';

import { useTranslate } from '../../ui/extension.ts';
import { formatTime } from '../../ui/text.ts';
import styles from './messages.module.css';
import { formatDuration, type Message, type MessageOrder } from './use-messages.ts';

interface MessageTableProps {
  /** In the order in which they are shown. */
  readonly messages: readonly Message[];
  readonly order: MessageOrder;
  readonly onOrder: (order: MessageOrder) => void;
  /** Start of each background in ms since 1970, marked between messages that are sorted by time. */
  readonly starts: readonly number[];
}

/** A row between the messages: the incident of the message above it, or the start of a background. */
interface Remark {
  readonly key: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly incident?: string;
}

/** Outcomes that are not shown as failures, except `DISCONNECTED` of a mutation, which may have failed. */
const CALM: ReadonlySet<string> = new Set(['value', 'end', 'ABORTED', 'DISCONNECTED', 'open']);

/** Height of a row in rem. */
const ROW = 2;

/** Table of messages. It renders only the visible rows, because there may be 10,000. */
export function MessageTable({ messages, order, onOrder, starts }: MessageTableProps) {
  const t = useTranslate();
  const scroller = useRef<HTMLDivElement>(null);
  const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
  const rows = useMemo(() => withRemarks(messages, order === 'at' ? starts : []), [messages, order, starts]);
  // oxlint-disable-next-line react/incompatible-library -- no compiler memoizes this component
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW * rem,
    getItemKey: (index) => rows[index]?.key ?? index,
    overscan: 10,
  });

  return (
    <div role="table" aria-label={t('messages')} aria-rowcount={rows.length + 1} className={styles['table']}>
      <div role="rowgroup" className={styles['heads']}>
        <div role="row" aria-rowindex={1} className={styles['head']}>
          <SortableHead by="at" order={order} onOrder={onOrder} />
          <span role="columnheader">{t('message_name')}</span>
          <span role="columnheader">{t('message_kind')}</span>
          <span role="columnheader">{t('message_caller')}</span>
          <span role="columnheader">{t('message_attempts')}</span>
          <span role="columnheader">{t('message_outcome')}</span>
          <SortableHead by="duration" order={order} onOrder={onOrder} />
        </div>
      </div>
      <div
        ref={scroller}
        role="rowgroup"
        aria-label={t('messages_rows')}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling element must be reachable by keyboard
        tabIndex={0}
        className={styles['scroller']}
      >
        <div role="presentation" style={{ blockSize: virtualizer.getTotalSize() }}>
          {virtualizer.getVirtualItems().map(({ index, key, start }) => {
            const row = rows[index];
            return (
              row && (
                <div
                  key={String(key)}
                  role="row"
                  aria-rowindex={index + 2}
                  className={styles['row']}
                  style={{ transform: `translateY(${start}px)` }}
                >
                  {'name' in row ? <Cells message={row} /> : <RemarkCells remark={row} />}
                </div>
              )
            );
          })}
        </div>
      </div>
    </div>
  );
}

interface SortableHeadProps extends Pick<MessageTableProps, 'order' | 'onOrder'> {
  readonly by: MessageOrder;
}

function SortableHead({ by, order, onOrder }: SortableHeadProps) {
  const t = useTranslate();
  return (
    <span role="columnheader" aria-sort={order === by ? 'descending' : undefined}>
      <button type="button" className="link" onClick={() => onOrder(by)}>
        {t(by === 'at' ? 'message_at' : 'message_duration')}
      </button>
    </span>
  );
}

function Cells({ message }: { readonly message: Message }) {
  const language = useTranslate()('text_language');
  const { at, name, kind, caller, attempts, outcome, duration } = message;
  return (
    <>
      <span role="cell">{formatTime(at, language, 'millisecond')}</span>
      <span role="cell">{name}</span>
      <span role="cell">{kind}</span>
      <span role="cell">{caller}</span>
      <span role="cell">{attempts}</span>
      <span
        role="cell"
        data-failed={!CALM.has(outcome) || (kind === 'mutation' && outcome === 'DISCONNECTED')}
      >
        {outcome}
      </span>
      <span role="cell">{duration !== undefined && formatDuration(duration, language)}</span>
    </>
  );
}

function RemarkCells({ remark: { at, incident } }: { readonly remark: Remark }) {
  const t = useTranslate();
  const isStart = incident === undefined;
  return (
    <>
      <span role="cell">{isStart && formatTime(at, t('text_language'), 'millisecond')}</span>
      <span role="cell" aria-colspan={6} className={styles['remark']} data-is-start={isStart}>
        {isStart ? t('messages_start') : t('message_incident', { incident })}
      </span>
    </>
  );
}

/** Inserts the incidents and the starts of backgrounds. With starts, the messages must be sorted by time, latest first. */
export function withRemarks(
  messages: readonly Message[],
  starts: readonly number[],
): readonly (Message | Remark)[] {
  const rows = messages.flatMap((message): (Message | Remark)[] => {
    const { key, at, incident } = message;
    return incident === undefined ? [message] : [message, { key: `incident ${key}`, at, incident }];
  });
  for (const at of starts) {
    const index = rows.findIndex((row) => row.at < at);
    rows.splice(index === -1 ? rows.length : index, 0, { key: `start ${at}`, at });
  }
  return rows;
}
