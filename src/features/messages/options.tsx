import { useDeferredValue, useId, useMemo, useState } from 'react';

import { CallResult } from '../../ui/call-result.tsx';
import { useMutation, useSubscription } from '../../ui/calls.ts';
import { Button, TextField } from '../../ui/controls.tsx';
import { useTranslate } from '../../ui/extension.ts';
import { CallFailure } from '../../ui/failure.tsx';
import { SettingStatus, useSetting } from '../../ui/setting.tsx';
import { type MessageKey, translateCount } from '../../ui/text.ts';
import { useSaveJson, ViewHeading } from '../../ui/view.tsx';
import type { Recording } from './background.ts';
import { DurationPlot } from './duration-plot.tsx';
import { MessageTable } from './message-table.tsx';
import styles from './messages.module.css';
import {
  choosable,
  filterMessages,
  type Message,
  type MessageFilter,
  type MessageOrder,
  noFilter,
  useMessages,
} from './use-messages.ts';

/** View of the messages between pages and background, live and without their content. */
export function MessagesView() {
  const t = useTranslate();
  const recording = useSubscription('recording.watch');
  const saveJson = useSaveJson();
  const [isPaused, setIsPaused] = useState(false);
  const [filter, setFilter] = useState(noFilter);
  const [order, setOrder] = useState<MessageOrder>('at');
  const [savedFile, setSavedFile] = useState<string>();
  const { messages, starts, dropped, call, clear } = useMessages(isPaused);
  const shown = useDeferredValue(
    useMemo(() => filterMessages(messages, filter, order), [messages, filter, order]),
  );
  const isOn = recording.status === 'ready' ? recording.value.isOn : undefined;

  function saveShown(): void {
    const records = shown.map(({ key, ...record }) => record);
    setSavedFile(saveJson('messages', `${JSON.stringify(records, undefined, 2)}\n`));
  }

  function emptyText(): MessageKey | undefined {
    if (messages.length > 0) return 'messages_none_match';
    if (isOn === undefined) return undefined;
    return isOn ? 'messages_empty' : 'messages_empty_off';
  }
  const empty = emptyText();

  return (
    <>
      <ViewHeading title={t('messages')} />
      <div className="stack">
        <p className="muted">{t('messages_intro')}</p>
        <CallResult state={recording} loading={t('recording_loading')}>
          {(stored) => <RecordingSwitch stored={stored} />}
        </CallResult>
        <CallFailure state={call} />
        {messages.length > 0 && (
          <>
            <DurationPlot messages={shown} />
            <MessageFilters messages={messages} filter={filter} onChange={setFilter} />
          </>
        )}
        {(isOn === true || isPaused || messages.length > 0) && (
          <div className={`wrap status ${styles['bar']}`}>
            {/* The number is announced only during a pause; otherwise it changes too often. */}
            <p role={isPaused ? 'status' : undefined}>
              {translateCount(t, 'messages_shown', shown.length)}
              {dropped > 0 && ` ${translateCount(t, 'messages_dropped', dropped)}`}
            </p>
            <Button onPress={() => setIsPaused(!isPaused)}>
              {t(isPaused ? 'messages_resume' : 'messages_pause')}
            </Button>
            <Button onPress={clear}>{t('messages_clear')}</Button>
            <Button onPress={saveShown}>{t('messages_save')}</Button>
            <p role="status">{savedFile !== undefined && t('messages_saved', { file: savedFile })}</p>
          </div>
        )}
        {shown.length === 0 ? (
          <p role="status" className={`muted ${styles['empty']}`}>
            {empty && t(empty)}
          </p>
        ) : (
          <MessageTable messages={shown} order={order} onOrder={setOrder} starts={starts} />
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
    <div>
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

interface MessageFiltersProps {
  /** All messages. The filter offers the values that occur in them. */
  readonly messages: readonly Message[];
  readonly filter: MessageFilter;
  readonly onChange: (filter: MessageFilter) => void;
}

const labels = {
  caller: 'message_caller',
  kind: 'message_kind',
  name: 'message_name',
  outcome: 'message_outcome',
} as const satisfies Record<(typeof choosable)[number], MessageKey>;

function MessageFilters({ messages, filter, onChange }: MessageFiltersProps) {
  const t = useTranslate();
  function valuesOf(field: (typeof choosable)[number]): string[] {
    // The chosen value stays in the list even if no message has it any more, so that it stays visible.
    const values = new Set([filter[field], ...messages.map((message) => message[field])]);
    return [...values].filter((value) => value !== '').toSorted();
  }

  return (
    <search className={`status ${styles['filters']}`}>
      {choosable.map((field) => (
        <label key={field} className="stack">
          {t(labels[field])}
          <select
            className="field"
            value={filter[field]}
            onChange={({ target }) => onChange({ ...filter, [field]: target.value })}
          >
            <option value="">{t('messages_all')}</option>
            {valuesOf(field).map((value) => (
              <option key={value} value={value}>
                {value}
              </option>
            ))}
          </select>
        </label>
      ))}
      <TextField
        type="search"
        label={t('messages_text')}
        value={filter.text}
        onChange={(text) => onChange({ ...filter, text })}
      />
    </search>
  );
}
