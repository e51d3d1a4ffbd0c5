import { memo, useId, useMemo, useState } from 'react';

import { CallResult } from '../../ui/call-result.tsx';
import { useMutation, useSubscription } from '../../ui/calls.ts';
import { Button, TextField } from '../../ui/controls.tsx';
import { useTranslate } from '../../ui/extension.ts';
import { CallFailure } from '../../ui/failure.tsx';
import { SettingStatus, useSetting } from '../../ui/setting.tsx';
import { formatNumber, formatTime, translateCount } from '../../ui/text.ts';
import { useSaveJson, ViewHeading } from '../../ui/view.tsx';
import type { CallRecord, Recording } from './background.ts';
import { callerOf, findRows, isMessage, outcomeOf, type Row, useMessageLog } from './message-log.ts';
import styles from './messages.module.css';

/** View of the messages between pages and background, live and without their content. */
export function MessagesView() {
  const t = useTranslate();
  const recording = useSubscription('recording.watch');
  const saveJson = useSaveJson();
  const [isPaused, setIsPaused] = useState(false);
  const [search, setSearch] = useState('');
  const [savedFile, setSavedFile] = useState<string>();
  const { log, call, clear } = useMessageLog(isPaused);
  const rows = useMemo(() => findRows(log, search, t), [log, search, t]);
  const count = rows.filter(isMessage).length;
  const isEmpty = log.open.length === 0 && !log.ended.some(isMessage);
  const isOn = recording.status === 'ready' ? recording.value.isOn : undefined;

  function emptyText(): string | undefined {
    if (!isEmpty) return t('messages_none_match');
    if (isOn === undefined) return undefined;
    return t(isOn ? 'messages_empty' : 'messages_empty_off');
  }

  return (
    <>
      <ViewHeading title={t('messages')} />
      <div className="stack">
        <p className={styles['text']}>{t('messages_intro')}</p>
        <CallResult state={recording}>{(stored) => <RecordingSwitch stored={stored} />}</CallResult>
        <CallFailure state={call} />
        {(isOn === true || isPaused || !isEmpty) && (
          <div className={`wrap status ${styles['bar']}`}>
            <TextField type="search" label={t('messages_text')} value={search} onChange={setSearch} />
            <Button onPress={() => setIsPaused(!isPaused)}>
              {t(isPaused ? 'messages_resume' : 'messages_pause')}
            </Button>
            <Button onPress={clear}>{t('messages_clear')}</Button>
            <Button
              onPress={() => setSavedFile(saveJson('messages', `${JSON.stringify(log, undefined, 2)}\n`))}
            >
              {t('messages_save')}
            </Button>
            <p role="status" className="status">
              {savedFile !== undefined && t('messages_saved', { file: savedFile })}
            </p>
            {/* The number is announced only during a pause; otherwise it changes too often. */}
            <p role={isPaused ? 'status' : undefined}>
              {translateCount(t, 'messages_shown', count)}
              {log.dropped > 0 && ` ${translateCount(t, 'messages_dropped', log.dropped)}`}
            </p>
          </div>
        )}
        {count === 0 ? (
          <p role="status" className="muted">
            {emptyText()}
          </p>
        ) : (
          <>
            <MessageTable rows={rows} />
            <p className={`status ${styles['text']}`}>{t('messages_legend')}</p>
          </>
        )}
      </div>
    </>
  );
}

function RecordingSwitch({ stored }: { readonly stored: Recording }) {
  const t = useTranslate();
  const explained = useId();
  const [mutation, setRecording] = useMutation('recording.set');
  const { shown, change } = useSetting(stored, mutation);

  return (
    <div className={styles['text']}>
      <label className="target choice">
        <input
          type="checkbox"
          checked={shown.isOn}
          aria-describedby={explained}
          onChange={({ target }) => void setRecording({ isOn: target.checked })}
        />
        {t('recording')}
      </label>
      <p id={explained} className="muted">
        {t('recording_explained')}
      </p>
      <SettingStatus change={change} failed={t('recording_not_saved')} inDoubt={t('recording_maybe_saved')} />
    </div>
  );
}

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
            <th scope="col">{t('message_at')}</th>
            <th scope="col">{t('message_name')}</th>
            <th scope="col">{t('message_kind')}</th>
            <th scope="col">{t('message_caller')}</th>
            <th scope="col">{t('message_attempts')}</th>
            <th scope="col">{t('message_outcome')}</th>
            <th scope="col">{t('message_duration')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <TableRow key={`${row.startedAt} ${row.number}`} row={row} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** Does not render again for the same row, because most rows stay when messages arrive. */
const TableRow = memo(({ row }: { readonly row: Row }) => {
  const t = useTranslate();
  const language = t('text_language');
  if (!isMessage(row)) {
    return (
      <tr className={styles['start']}>
        <td>{formatTime(row.startedAt, language, 'millisecond')}</td>
        <td colSpan={6}>{t('messages_start')}</td>
      </tr>
    );
  }

  const { at, name, kind, attempts, duration, incident, hasFailed } = row;
  return (
    <tr>
      <td>{formatTime(at, language, 'millisecond')}</td>
      <td>{name}</td>
      <td>{kind}</td>
      <td>{callerOf(row)}</td>
      <td>{attempts}</td>
      <td data-failed={hasFailed}>
        {outcomeOf(row, t)}
        {incident !== undefined && <p>{t('message_incident', { incident })}</p>}
      </td>
      <td>{duration !== undefined && formatDuration(duration, language)}</td>
    </tr>
  );
});

/** The names and values that this feature adds to the facts for a bug report. */
export function LatestFailures() {
  const t = useTranslate();
  const log = useSubscription('messages.watch');
  const language = t('text_language');

  function describe(failure: CallRecord): string {
    const { at, kind, name, outcome, incident } = failure;
    const facts = [formatTime(at, language, 'date'), kind, name, callerOf(failure), outcome];
    return [...facts, ...(incident === undefined ? [] : [t('message_incident', { incident })])].join(' · ');
  }

  function lines(): readonly string[] {
    if (log.status === 'ready') return log.value.failures.map(describe);
    return [t(log.status === 'failed' ? 'background_needed' : 'loading')];
  }

  const shown = lines();
  return (
    <>
      <dt>{t('failures')}</dt>
      {shown.length === 0 && <dd>{t('failures_none')}</dd>}
      {shown.map((line, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- two failures can have the same text
        <dd key={index}>{line}</dd>
      ))}
    </>
  );
}

/** Formats milliseconds for a language: `1.2 ms`, `340 ms`. */
function formatDuration(duration: number, language: string): string {
  const maximumFractionDigits = duration < 10 ? 1 : 0;
  return formatNumber(duration, language, { style: 'unit', unit: 'millisecond', maximumFractionDigits });
}
