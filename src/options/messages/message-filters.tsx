import type { MessageKey } from '../../ui/translate.ts';
import { useTranslate } from '../../ui/use-translate.ts';
import type { Message } from './message.ts';
import { choosable } from './message-filter.ts';
import type { MessageFilter } from './message-filter.ts';
import styles from './message-filters.module.css';

interface MessageFiltersProps {
  /** All there are: what can be chosen is what occurs, and what is chosen. */
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

export function MessageFilters({ messages, filter, onChange }: MessageFiltersProps) {
  const t = useTranslate();
  return (
    <search className={styles['filters']}>
      {choosable.map((field) => (
        <label key={field} className={styles['filter']}>
          {t(labels[field])}
          <select
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
      <label className={styles['filter']}>
        {t('messages_text')}
        <input
          type="search"
          value={filter.text}
          onChange={({ target }) => onChange({ ...filter, text: target.value })}
        />
      </label>
    </search>
  );

  function valuesOf(field: (typeof choosable)[number]): string[] {
    // What was chosen stays to be seen, and to be taken back, when no message has it any more.
    const values = new Set([filter[field], ...messages.map((message) => message[field])]);
    return [...values].filter((value) => value !== '').toSorted();
  }
}
