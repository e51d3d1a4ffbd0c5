import { type ReactNode, useEffect, useEffectEvent, useId, useState } from 'react';

import { progressByRole } from '../../../SPEC_GAPS.md';
import { useTranslate } from '../../ui/extension.ts';
import { isOverview, noFilter, type QuestionFilter, questionsAddress } from './filter.ts';
import { describeProgress } from './points.tsx';
import { roleNames } from './question-item.tsx';
import styles from './questions.module.css';
import type { Progress } from './spec-gaps.ts';

interface FilterBarProps {
  /** The filter, with the words that are being typed. */
  readonly filter: QuestionFilter;
  readonly onType: (search: string) => void;
}

/** Shows the search field and two lines of filters. Each filter is a link, and in each line at least one is current. */
export function FilterBar({ filter, onType }: FilterBarProps) {
  const t = useTranslate();
  const isAll = !isOverview(filter) && !filter.isStart && !filter.isOpen;
  return (
    <search className={`stack ${styles['bar']}`}>
      <label className={`stack ${styles['search']}`}>
        <span className="status">{t('search_questions')}</span>
        <input
          type="search"
          className="field"
          aria-keyshortcuts="/"
          value={filter.search}
          onChange={({ target }) => onType(target.value)}
        />
      </label>
      <Filters label={t('questions_filters')}>
        <Filter label={t('questions_overview')} isOn={isOverview(filter)} to={noFilter} />
        <Filter
          label={t('questions_all')}
          isOn={isAll}
          to={{ ...filter, isAll: true, isStart: false, isOpen: false }}
        />
        <Filter
          label={t('question_start')}
          isOn={filter.isStart}
          to={{ ...filter, isAll: false, isStart: !filter.isStart }}
        />
        <Filter
          label={t('question_unanswered')}
          isOn={filter.isOpen}
          to={{ ...filter, isAll: false, isOpen: !filter.isOpen }}
        />
      </Filters>
      <Filters label={t('questions_roles')}>
        <Filter
          label={t('role_all')}
          isOn={filter.role === undefined}
          to={{ ...filter, isAll, role: undefined }}
        />
        {progressByRole.map(({ role, ...progress }) => (
          <Filter
            key={role}
            label={t(roleNames[role])}
            progress={progress}
            isOn={filter.role === role}
            to={{ ...filter, role }}
          />
        ))}
      </Filters>
    </search>
  );
}

function Filters({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  const id = useId();
  return (
    <div className={`wrap ${styles['filters']}`}>
      <span id={id}>{label}</span>
      <ul className="wrap" aria-labelledby={id}>
        {children}
      </ul>
    </div>
  );
}

interface FilterProps {
  readonly label: string;
  /** Progress to show after the label. */
  readonly progress?: Progress;
  readonly isOn: boolean;
  /** The filter that the link leads to. */
  readonly to: QuestionFilter;
}

function Filter({ label, progress, isOn, to }: FilterProps) {
  const t = useTranslate();
  return (
    <li>
      <a className={styles['filter']} href={questionsAddress(to)} aria-current={isOn ? 'true' : undefined}>
        {label}
        {progress && (
          <>
            {' '}
            <span className="number" aria-hidden="true">{`${progress.answered}/${progress.total}`}</span>
            <span className="visually-hidden">{describeProgress(progress, t)}</span>
          </>
        )}
      </a>
    </li>
  );
}

/** Milliseconds without a key press before the search goes into the address. */
const PAUSE = 400;

/**
 * Returns the words of the search while they are typed, a function that changes them, and a function that puts them into
 * the address. They also go there when typing pauses. The first words add an entry to the history, and later words
 * replace it.
 */
export function useTypedSearch(
  filter: QuestionFilter,
): readonly [search: string, type: (search: string) => void, end: () => void] {
  const [typed, setTyped] = useState<string>();
  const [sent, setSent] = useState<string>();
  const [known, setKnown] = useState(filter.search);
  if (known !== filter.search) {
    setKnown(filter.search);
    // Unless the typed words changed the address, a link or the history did.
    if (sent !== filter.search) setTyped(undefined);
  }

  function end(): void {
    if (typed === undefined || typed.trim() === filter.search) return;
    // A space at the end is not in the address.
    setSent(typed.trim());
    const address = questionsAddress({ ...filter, search: typed });
    if (filter.search === '') location.hash = address;
    else location.replace(address);
  }

  const onPause = useEffectEvent(end);
  useEffect(() => {
    if (typed === undefined) return undefined;
    const timer = setTimeout(onPause, PAUSE);
    return () => clearTimeout(timer);
  }, [typed]);

  return [typed ?? filter.search, setTyped, end];
}
