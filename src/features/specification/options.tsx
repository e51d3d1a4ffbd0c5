import { type KeyboardEvent, type ReactNode, useId } from 'react';

import { gaps, markdown, start } from '../../../SPEC_GAPS.md';
import { useTranslate } from '../../ui/extension.ts';
import { type MessageKey, translateCount } from '../../ui/text.ts';
import { ViewHeading } from '../../ui/view.tsx';
import { FilterBar, useTypedSearch } from './filter-bar.tsx';
import {
  findGap,
  findQuestions,
  parseFilter,
  type QuestionFilter,
  type QuestionGroup,
  questionsAddress,
  startQuestions,
  toMarkdown,
} from './filter.ts';
import { PointPage } from './point.tsx';
import pointStyles from './points.module.css';
import { describeStart, isComplete, Share } from './points.tsx';
import { Prose } from './prose.tsx';
import { QuestionItem } from './question-item.tsx';
import styles from './questions.module.css';
import { addProgress, type Gap, type Question } from './spec-gaps.ts';
import { TakeAway } from './take-away.tsx';

/**
 * Returns the view of an address: all questions, or the point whose id or question number is `part`. Returns `undefined`
 * if there is no such point.
 */
export function showQuestions(part: string | undefined, query: string): ReactNode {
  const filter = parseFilter(query);
  if (part === undefined) return <QuestionsPage filter={filter} />;
  const gap = findGap(part);
  return gap && <PointPage key={gap.id} gap={gap} named={part} filter={filter} />;
}

/** Shows the three steps to answer questions, and below them the overview or the filtered questions. */
function QuestionsPage({ filter }: { readonly filter: QuestionFilter }) {
  const t = useTranslate();
  const [search, onType, endTyping] = useTypedSearch(filter);
  const shown = { ...filter, search };
  const groups = findQuestions(shown);
  const { answered, total } = addProgress(gaps);
  const found = groups && countOf(groups);
  const isSettled = search.trim() === filter.search;

  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- a keyboard shortcut to the search
    <div onKeyDown={focusSearch}>
      <ViewHeading title={t('questions')} />
      <div className={styles['lead']}>
        <p>{t('questions_answered', { answered: String(answered), total: String(total) })}</p>
        <Share of={{ answered, total }} />
      </div>
      <ol className={styles['steps']}>
        <Step title={t('questions_step_save')}>
          {found !== 0 && (
            <>
              <p>{t(groups === undefined ? 'questions_step_save_all' : 'questions_step_save_some')}</p>
              {/* Another filter resets the message about an earlier save. */}
              <TakeAway
                key={groups && questionsAddress(shown)}
                markdown={groups === undefined ? markdown : toMarkdown(groups)}
                count={found}
              />
            </>
          )}
        </Step>
        <Step title={t('questions_step_answer')}>
          <p>{t('questions_step_answer_how')}</p>
        </Step>
        <Step title={t('questions_step_give')}>
          <p>{t('questions_step_give_how')}</p>
        </Step>
      </ol>
      {/* When a link takes the focus, the typed words go into the address before the link is followed. */}
      <div onBlur={endTyping}>
        <FilterBar filter={shown} onType={onType} />
      </div>
      <p role="status" className={`status ${styles['found']}`}>
        {found !== undefined && isSettled && translateCount(t, 'search_found', found)}
      </p>
      {groups === undefined ? <Overview /> : <QuestionList groups={groups} filter={shown} />}
    </div>
  );
}

interface StepProps {
  readonly title: string;
  readonly children: ReactNode;
}

function Step({ title, children }: StepProps) {
  return (
    <li className={styles['step']}>
      <h2>{title}</h2>
      {children}
    </li>
  );
}

/** Shows the questions to start with and the nine points, if there is no filter. */
function Overview() {
  const t = useTranslate();
  const next = startQuestions.find(isOpen);
  return (
    <>
      <section className={styles['group']}>
        <div className={styles['groupHead']}>
          <h2>{t('question_start')}</h2>
          <p className="status">
            {describeStart(start, t)}. {t('questions_start_why')}
          </p>
          {next && next !== startQuestions[0] && (
            <p className="status">
              {t('questions_next', { number: next.id })}{' '}
              <a href={questionsAddress(undefined, next.id)}>
                <Prose text={next.text} />
              </a>
            </p>
          )}
        </div>
        <ol>
          {startQuestions.map((question) => (
            <QuestionItem
              key={question.id}
              question={question}
              href={questionsAddress(undefined, question.id)}
              isBrief
            />
          ))}
        </ol>
      </section>
      <section className={styles['group']}>
        <div className={styles['groupHead']}>
          <h2>{t('points')}</h2>
        </div>
        <ol>
          {gaps.map((gap) => (
            <PointTask key={gap.id} gap={gap} />
          ))}
        </ol>
      </section>
    </>
  );
}

function PointTask({ gap }: { readonly gap: Gap }) {
  const t = useTranslate();
  const hint = useId();
  const next = gap.questions.find(isOpen);
  return (
    <li className={styles['task']}>
      <span
        className={`${pointStyles['cell']} ${styles['box']}`}
        data-complete={isComplete(gap)}
        aria-hidden="true"
      >
        <span className="number">{`${gap.answered}/${gap.total}`}</span>
        <Share of={gap} />
      </span>
      <div>
        <a className={styles['title']} href={questionsAddress(undefined, gap.id)} aria-describedby={hint}>
          {gap.number}. {gap.title}
        </a>
        {next && (
          <p className="status">
            {t('questions_next', { number: next.id })} <Prose text={next.text} />
          </p>
        )}
      </div>
      <p id={hint} className={styles['state']} data-state={isComplete(gap)}>
        {t(stateOf(gap))}
      </p>
    </li>
  );
}

function isOpen({ answer }: Question): boolean {
  return answer.length === 0;
}

function stateOf(gap: Gap): MessageKey & `gap_${string}` {
  if (isComplete(gap)) return 'gap_complete';
  return gap.answered === 0 ? 'gap_not_started' : 'gap_started';
}

interface QuestionListProps {
  readonly groups: readonly QuestionGroup[];
  /** The addresses of the questions keep this filter for the link back. */
  readonly filter: QuestionFilter;
}

function QuestionList({ groups, filter }: QuestionListProps) {
  const t = useTranslate();
  if (groups.length === 0) {
    return (
      <p className={styles['empty']}>
        {t('questions_none')} <a href={questionsAddress()}>{t('questions_no_filter')}</a>
      </p>
    );
  }
  return groups.map(({ gap, questions }) => (
    <section key={gap?.id ?? 'start'} className={styles['group']}>
      <div className={styles['groupHead']}>
        <h2>{gap ? `${gap.number}. ${gap.title}` : t('question_start')}</h2>
      </div>
      <ol>
        {questions.map((question) => (
          <QuestionItem key={question.id} question={question} href={questionsAddress(filter, question.id)} />
        ))}
      </ol>
    </section>
  ));
}

function countOf(groups: readonly QuestionGroup[]): number {
  return groups.reduce((sum, { questions }) => sum + questions.length, 0);
}

/** Moves the focus to the search when `/` is pressed anywhere in this view except in a field. */
function focusSearch(event: KeyboardEvent<HTMLElement>): void {
  const { target, currentTarget, key, ctrlKey, metaKey, altKey } = event;
  if (key !== '/' || ctrlKey || metaKey || altKey || (target as Element).matches('input')) return;
  currentTarget.querySelector<HTMLElement>('[aria-keyshortcuts="/"]')?.focus();
  // Firefox would open its quick search.
  event.preventDefault();
}
