import { memo, useRef, useState } from 'react';

import { CallResult } from '../../ui/call-result.tsx';
import { type CallState, useCall } from '../../ui/calls.ts';
import { Button } from '../../ui/controls.tsx';
import { useExtension, useTranslate } from '../../ui/extension.ts';
import { Status } from '../../ui/status.tsx';
import { formatNumber, formatTime } from '../../ui/text.ts';
import { Content, useSaveJson } from '../../ui/view.tsx';
import type { CallRecord, Log } from './background.ts';
import styles from './messages.module.css';
import { callerOf, type Row, rowsOf } from './rows.ts';

/** View of the messages between pages and background, live and without their content. */
export function MessagesView() {
  const t = useTranslate();
  const saveJson = useSaveJson();
  const [paused, setPaused] = useState<readonly Log[]>();
  const [saved, setSaved] = useState({ text: '' });

  function save(logs: readonly Log[]): void {
    const file = saveJson('messages', `${JSON.stringify(logs, undefined, 2)}\n`);
    setSaved({ text: t('messages_saved', { file }) });
  }

  return (
    <div className="stack">
      <Content>
        <p>{t('messages_intro')}</p>
      </Content>
      <CallResult state={useLogs()}>
        {(logs) => (
          <>
            <div className="wrap status">
              <Button onPress={() => setPaused(paused ? undefined : logs)}>
                {t(paused ? 'messages_resume' : 'messages_pause')}
              </Button>
              <Button onPress={() => save(paused ?? logs)}>{t('messages_save')}</Button>
              <Status text={saved.text} occasion={saved} />
            </div>
            <MessageTable rows={rowsOf(paused ?? logs, t)} />
          </>
        )}
      </CallResult>
      <Content>
        <p className="status">{t('messages_legend')}</p>
      </Content>
    </div>
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

const columns = [
  'message_at',
  'message_name',
  'message_kind',
  'message_caller',
  'message_attempts',
  'message_outcome',
  'message_duration',
] as const;

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
        <tr className="muted">
          <td>{formatTime(startedAt, language, 'millisecond')}</td>
          <td colSpan={6}>{outcome}</td>
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
          <span>{outcome}</span>
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
  if (logs.status !== 'ready') return null;
  const failures = logs.value.at(-1)?.failures ?? [];

  function describe(failure: CallRecord): string {
    const { at, kind, name, outcome, incident } = failure;
    const facts = [formatTime(at, t('text_language'), 'date'), kind, name, callerOf(failure), outcome];
    return facts.concat(incident === undefined ? [] : t('message_incident', { incident })).join(' · ');
  }

  return (
    <>
      <dt>{t('failures')}</dt>
      {failures.length === 0 && <dd>{t('failures_none')}</dd>}
      {failures.map((failure) => (
        <dd key={failure.number}>{describe(failure)}</dd>
      ))}
    </>
  );
}
