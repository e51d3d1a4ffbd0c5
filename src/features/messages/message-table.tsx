import { useVirtualizer } from '@tanstack/react-virtual';
import { type CSSProperties, type RefObject, useMemo } from 'react';

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
  readonly openKey: string | undefined;
  readonly onOpen: (key: string) => void;
  /** Element that scrolls the rows. It gets the focus if the row that was opened is no longer in the document. */
  readonly scroller: RefObject<HTMLDivElement | null>;
}

/** Start of a background, shown as a row. */
interface Start {
  readonly key: string;
  readonly at: number;
}

/** Outcomes that are not failures: the call succeeded, the page stopped listening, or the call is still open. */
const CALM: ReadonlySet<string> = new Set(['value', 'end', 'ABORTED', 'DISCONNECTED', 'open']);

/** Height of a row in px. */
const ROW = 32;

/** Table of messages. It renders only the visible rows, because there may be 10,000. */
export function MessageTable(props: MessageTableProps) {
  const { messages, order, onOrder, starts, openKey, onOpen, scroller } = props;
  const t = useTranslate();
  const rows = useMemo(
    () => (order === 'at' ? withStarts(messages, starts) : messages),
    [messages, order, starts],
  );
  const callerLength = useMemo(
    () => messages.reduce((longest, { caller }) => Math.max(longest, caller.length), 0),
    [messages],
  );
  // oxlint-disable-next-line react/incompatible-library -- no compiler memoizes this component
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW,
    getItemKey: (index) => rows[index]?.key ?? index,
    overscan: 10,
  });

  return (
    <div
      role="table"
      aria-label={t('messages')}
      aria-rowcount={rows.length + 1}
      className={styles['table']}
      style={{ '--caller': `${callerLength}ch` } as CSSProperties}
    >
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
                  data-open={row.key === openKey}
                  className={styles['row']}
                  style={{ transform: `translateY(${start}px)` }}
                >
                  {'name' in row ? <Cells message={row} onOpen={onOpen} /> : <StartCells at={row.at} />}
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

/** Head of a column that sorts the messages. */
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

function Cells({ message, onOpen }: { readonly message: Message; readonly onOpen: (key: string) => void }) {
  const language = useTranslate()('text_language');
  const { key, at, name, kind, caller, attempts, outcome, duration } = message;
  return (
    <>
      <span role="cell">{formatTime(at, language, 'millisecond')}</span>
      <span role="cell">
        <button type="button" className="link" onClick={() => onOpen(key)}>
          {name}
        </button>
      </span>
      <span role="cell">{kind}</span>
      <span role="cell">{caller}</span>
      <span role="cell">{attempts}</span>
      <span role="cell" data-failed={!CALM.has(outcome)} data-outcome={outcome}>
        {outcome}
      </span>
      <span role="cell">{duration !== undefined && formatDuration(duration, language)}</span>
    </>
  );
}

function StartCells({ at }: { readonly at: number }) {
  const t = useTranslate();
  return (
    <>
      <span role="cell">{formatTime(at, t('text_language'), 'millisecond')}</span>
      <span role="cell" aria-colspan={6} className={styles['start']}>
        {t('messages_start')}
      </span>
    </>
  );
}

/** Inserts the starts of backgrounds into messages that are sorted by time, latest first. */
function withStarts(messages: readonly Message[], starts: readonly number[]): readonly (Message | Start)[] {
  const rows: (Message | Start)[] = [...messages];
  for (const at of starts) {
    const index = rows.findIndex((row) => row.at < at);
    rows.splice(index === -1 ? rows.length : index, 0, { key: `start ${at}`, at });
  }
  return rows;
}
