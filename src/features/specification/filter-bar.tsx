import { type ReactNode, useEffect, useEffectEvent, useId, useState } from 'react';

import { gaps, progressByRole, start } from '../../../SPEC_GAPS.md';
import { useTranslate } from '../../ui/extension.ts';
import { noFilter, type QuestionFilter, questionsAddress } from './filter.ts';
import { describeProgress } from './points.tsx';
import { roleNames } from './question-item.tsx';
import styles from './questions.module.css';
import { addProgress, type Progress } from './spec-gaps.ts';

interface FilterBarProps {
  /** The filter, with the words that are being typed. */
  readonly filter: QuestionFilter;
  readonly onType: (search: string) => void;
}

/** Shows the search field and the filters. Each filter is a link with the number of its answered questions. */
export function FilterBar({ filter, onType }: FilterBarProps) {
  const t = useTranslate();
  const all = addProgress(gaps);
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
        <Filter
          label={t('questions_all')}
          progress={all}
          isOn={filter.isAll}
          to={filter.isAll ? noFilter : { ...noFilter, isAll: true }}
        />
        <Filter
          label={t('question_start')}
          progress={start}
          isOn={filter.isStart}
          to={{ ...filter, isAll: false, isStart: !filter.isStart }}
        />
        <Filter
          label={t('question_unanswered')}
          count={all.total - all.answered}
          isOn={filter.isOpen}
          to={{ ...filter, isAll: false, isOpen: !filter.isOpen }}
        />
      </Filters>
      <Filters label={t('questions_roles')}>
        {progressByRole.map(({ role, ...progress }) => (
          <Filter
            key={role}
            label={t(roleNames[role])}
            progress={progress}
            isOn={filter.role === role}
            to={{ ...filter, isAll: false, role: filter.role === role ? undefined : role }}
          />
        ))}
      </Filters>
    </search>
  );
}

/** A labelled line of filters. */
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
  /** Progress of the questions that it shows. */
  readonly progress?: Progress;
  /** Number of questions that it shows. Used if there is no `progress`. */
  readonly count?: number;
  readonly isOn: boolean;
  /** The filter that the link leads to. */
  readonly to: QuestionFilter;
}

function Filter({ label, progress, count, isOn, to }: FilterProps) {
  const t = useTranslate();
  return (
    <li>
      <a className={styles['filter']} href={questionsAddress(to)} aria-current={isOn ? 'true' : undefined}>
        {label}{' '}
        {progress === undefined ? (
          <span className="number">{count}</span>
        ) : (
          <>
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
  const [known, setKnown] = useState(filter.search);
  if (known !== filter.search) {
    setKnown(filter.search);
    setTyped(undefined);
  }

  function end(): void {
    if (typed === undefined || typed.trim() === filter.search) return;
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
