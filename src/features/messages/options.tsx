import { memo, useMemo, useRef, useState } from 'react';

import { CallResult } from '../../ui/call-result.tsx';
import { type CallState, useCall } from '../../ui/calls.ts';
import { Button, TextField } from '../../ui/controls.tsx';
import { useExtension, useTranslate } from '../../ui/extension.ts';
import { formatNumber, formatTime, type PlainKey, type Translate, translateCount } from '../../ui/text.ts';
import { Content, useSaveJson, ViewHeading } from '../../ui/view.tsx';
import type { CallRecord, Log } from './background.ts';
import styles from './messages.module.css';

/** View of the messages between pages and background, live and without their content. */
export function MessagesView() {
  const t = useTranslate();
  return (
    <>
      <ViewHeading title={t('messages')} />
      <div className="stack">
        <Content>
          <p>{t('messages_intro')}</p>
        </Content>
        <CallResult state={useLogs()}>{(logs) => <Messages logs={logs} />}</CallResult>
        <Content>
          <p className="status">{t('messages_legend')}</p>
        </Content>
      </div>
    </>
  );
}

/** Number of backgrounds whose logs are kept. */
const LOGS = 20;

/** Milliseconds between two updates. Messages that arrive in between are shown together. */
const PAUSE = 100;

/** Returns the logs of the latest backgrounds. The last log is that of the current background. */
function useLogs(): CallState<readonly Log[]> {
  const { client } = useExtension();
  const logs = useRef<readonly Log[]>([]);

  return useCall('messages.watch', async (signal, show) => {
    for await (const log of client.subscribe('messages.watch', undefined, { signal })) {
      const earlier = logs.current.filter(({ startedAt }) => startedAt !== log.startedAt);
      logs.current = [...earlier, log].slice(-LOGS);
      show(logs.current);
      await new Promise((resolve) => setTimeout(resolve, PAUSE));
    }
  });
}

function Messages({ logs }: { readonly logs: readonly Log[] }) {
  const t = useTranslate();
  const saveJson = useSaveJson();
  const [paused, setPaused] = useState<readonly Log[]>();
  const [search, setSearch] = useState('');
  const [savedFile, setSavedFile] = useState<string>();
  const shown = paused ?? logs;
  const rows = useMemo(() => findRows(shown, search, t), [shown, search, t]);
  const count = rows.filter(({ record }) => record).length;
  const found = rows.length === 0 ? t('messages_none_match') : translateCount(t, 'messages_shown', count);
  // Without a pause, the number changes too often to be announced.
  const isAnnounced = paused !== undefined || rows.length === 0;

  return (
    <>
      <div className={`wrap status ${styles['bar']}`}>
        <TextField type="search" label={t('messages_text')} value={search} onChange={setSearch} />
        <Button onPress={() => setPaused(paused ? undefined : logs)}>
          {t(paused ? 'messages_resume' : 'messages_pause')}
        </Button>
        <Button
          onPress={() => setSavedFile(saveJson('messages', `${JSON.stringify(shown, undefined, 2)}\n`))}
        >
          {t('messages_save')}
        </Button>
      </div>
      <p role="status" className="status">
        {savedFile !== undefined && t('messages_saved', { file: savedFile })}
      </p>
      <p className="status">
        {/* Always rendered, because screen readers announce changes only in a region that already exists. */}
        <span role="status">{isAnnounced && found}</span>
        {!isAnnounced && found}
      </p>
      {rows.length > 0 && <MessageTable rows={rows} />}
    </>
  );
}

/** Number of rows in the table. */
const ROWS = 500;

/** A message, or the start of a background, which has no record. */
interface Row {
  /** Start of the background in ms since 1970. */
  readonly startedAt: number;
  readonly record?: CallRecord;
  readonly outcome: string;
}

/** Returns the newest rows in which a cell contains the search text. */
function findRows(logs: readonly Log[], search: string, t: Translate): readonly Row[] {
  const text = search.trim().toLowerCase();
  const matches = ({ record, outcome }: Row): boolean => {
    if (text === '' || record === undefined) return text === '';
    const cells = [record.name, record.kind, callerOf(record), outcome, record.incident];
    return cells.join('\n').toLowerCase().includes(text);
  };
  return logs
    .toReversed()
    .flatMap((log, age) => rowsOf(log, age === 0, t))
    .filter(matches)
    .slice(0, ROWS);
}

/** Returns the rows of a background: open messages first, then the others, and its start last. */
function rowsOf({ startedAt, open, ended }: Log, isRunning: boolean, t: Translate): readonly Row[] {
  const records = [...open.toReversed(), ...ended.toReversed()];
  const rows = records.map((record): Row => {
    const hasStopped = record.outcome === 'open' && !isRunning;
    return { startedAt, record, outcome: hasStopped ? t('message_stopped') : outcomeOf(record, t) };
  });
  return rows.concat({ startedAt, outcome: '' });
}

/** Returns the caller, with the number of its connection if it has one. */
function callerOf({ caller, connection }: CallRecord): string {
  return connection === undefined ? caller : `${caller} ${connection}`;
}

const outcomes: Readonly<Record<string, PlainKey>> = {
  open: 'message_open',
  value: 'message_value',
  end: 'message_end',
};

/** Returns the text for an outcome, or the code of the error. */
function outcomeOf({ outcome }: CallRecord, t: Translate): string {
  const key = outcomes[outcome];
  return key === undefined ? outcome : t(key);
}

const columns = [
  'message_at',
  'message_name',
  'message_kind',
  'message_caller',
  'message_attempts',
  'message_outcome',
  'message_duration',
] as const;

/** Shows rows. An empty list has no table, because a screen reader would announce its columns. */
function MessageTable({ rows }: { readonly rows: readonly Row[] }) {
  const t = useTranslate();
  return (
    <section
      aria-label={t('messages_rows')}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling element must be reachable by keyboard
      tabIndex={0}
      className={styles['scroller']}
    >
      <table className={styles['table']} aria-label={t('messages')}>
        <thead>
          <tr>
            {columns.map((key) => (
              <th key={key} scope="col">
                {t(key)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <TableRow key={`${row.startedAt} ${row.record?.number ?? 0}`} row={row} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** Renders again only if the outcome changes, because most rows stay when messages arrive. */
const TableRow = memo(
  ({ row: { startedAt, record, outcome } }: { readonly row: Row }) => {
    const t = useTranslate();
    const language = t('text_language');
    if (record === undefined) {
      return (
        <tr className={styles['start']}>
          <td>{formatTime(startedAt, language, 'millisecond')}</td>
          <td colSpan={6}>{t('messages_start')}</td>
        </tr>
      );
    }

    const { at, name, kind, attempts, duration, incident, hasFailed } = record;
    return (
      <tr>
        <td>{formatTime(at, language, 'millisecond')}</td>
        <td>{name}</td>
        <td>{kind}</td>
        <td>{callerOf(record)}</td>
        <td>{attempts}</td>
        <td data-failed={hasFailed}>
          {outcome}
          {incident !== undefined && <p>{t('message_incident', { incident })}</p>}
        </td>
        <td>{duration !== undefined && formatDuration(duration, language)}</td>
      </tr>
    );
  },
  (before, { row }) => before.row.outcome === row.outcome,
);

/** Formats milliseconds for a language: `1.2 ms`, `340 ms`. */
function formatDuration(duration: number, language: string): string {
  const maximumFractionDigits = duration < 10 ? 1 : 0;
  return formatNumber(duration, language, { style: 'unit', unit: 'millisecond', maximumFractionDigits });
}

/** The names and values that this feature adds to the facts for a bug report. */
export function LatestFailures() {
  const t = useTranslate();
  const logs = useLogs();
  const language = t('text_language');

  function describe(failure: CallRecord): string {
    const { at, kind, name, outcome, incident } = failure;
    const facts = [formatTime(at, language, 'date'), kind, name, callerOf(failure), outcome];
    return [...facts, ...(incident === undefined ? [] : [t('message_incident', { incident })])].join(' · ');
  }

  function lines(): readonly string[] {
    if (logs.status !== 'ready') {
      return [t(logs.status === 'failed' ? 'background_needed' : 'loading')];
    }
    const failures = logs.value.at(-1)?.failures ?? [];
    return failures.length === 0 ? [t('failures_none')] : failures.map(describe);
  }

  return (
    <>
      <dt>{t('failures')}</dt>
      {lines().map((line, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- two failures can have the same text
        <dd key={index}>{line}</dd>
      ))}
    </>
  );
}
