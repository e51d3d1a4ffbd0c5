import { type ReactNode, useState } from 'react';

import { gaps as ownGaps, markdown as ownMarkdown } from '../../../SPEC_GAPS.md';
import { Button, Checkbox } from '../../ui/controls.tsx';
import { useTranslate } from '../../ui/extension.ts';
import { type PlainKey, type Translate, translateCount } from '../../ui/text.ts';
import { saveFile, ViewHeading } from '../../ui/view.tsx';
import { filterAddress, findQuestions, parseFilter, type QuestionFilter, toMarkdown } from './filter.ts';
import styles from './questions.module.css';
import { countQuestions, type Gap, isAnswer, type Question, type Role, roles } from './spec-gaps.ts';

/**
 * Returns the view of an address: all questions, at the point or question that `part` names. Returns `undefined` if there
 * is no such point or question.
 */
export function showQuestions(part: string | undefined, query: string): ReactNode {
  const isKnown = ownGaps.some(
    ({ id, questions }) => id === part || questions.some((one) => one.id === part),
  );
  if (part !== undefined && !isKnown) return undefined;
  return <QuestionsPage gaps={ownGaps} markdown={ownMarkdown} part={part} query={query} />;
}

interface QuestionsPageProps {
  readonly gaps: readonly Gap[];
  /** The text of `SPEC_GAPS.md`. */
  readonly markdown: string;
  /** Id of a point or a question. */
  readonly part?: string | undefined;
  /** The filter, as in the address. */
  readonly query?: string;
}

/** Shows the questions and their answers in one list, with filters, a search, and ways to take out what is shown. */
export function QuestionsPage({ gaps, markdown, part, query = '' }: QuestionsPageProps) {
  const t = useTranslate();
  const [search, type] = useSearch(part, query);
  const filter = { ...parseFilter(query), search };
  const unfiltered = filterAddress(part, parseFilter(''));
  const isFiltered = filterAddress(part, filter) !== unfiltered;
  const shown = findQuestions(gaps, filter);
  const count = shown.reduce((sum, { questions }) => sum + questions.length, 0);
  const progress = countQuestions(gaps);
  const { save, copy, result } = useTakeAway(isFiltered ? toMarkdown(shown) : markdown, isFiltered);

  function change(changed: Partial<QuestionFilter>): void {
    location.assign(filterAddress(part, { ...filter, ...changed }));
  }

  return (
    <>
      <div className={`wrap ${styles['head']}`}>
        <ViewHeading title={t('questions')} />
        {count > 0 && (
          <div className="wrap">
            <Button isPrimary onPress={save}>
              {isFiltered ? translateCount(t, 'save_questions', count) : t('save_questionnaire')}
            </Button>
            <Button onPress={copy}>{t('copy_questions')}</Button>
          </div>
        )}
      </div>
      <p className="status">
        {progress.answered === progress.total
          ? t('questions_complete')
          : t('questions_how', { progress: describeProgress(progress, t) })}
      </p>
      <p role="status" className={`status ${styles['result']}`}>
        {result}
      </p>
      <search className={`wrap ${styles['filters']}`}>
        <input
          type="search"
          className="field"
          aria-label={t('search_questions')}
          placeholder={t('search_questions')}
          value={search}
          onChange={({ target }) => type(target.value)}
        />
        <Checkbox
          label={t('question_start')}
          isChecked={filter.isStart}
          onChange={(isStart) => change({ isStart })}
        />
        <Checkbox
          label={t('question_unanswered')}
          isChecked={filter.isOpen}
          onChange={(isOpen) => change({ isOpen })}
        />
        <select
          className="field"
          aria-label={t('question_role')}
          value={filter.role ?? ''}
          onChange={({ target }) => change({ role: roles.find((role) => role === target.value) })}
        >
          <option value="">{t('role_all')}</option>
          {roles.map((role) => (
            <option key={role} value={role}>
              {t(roleNames[role])}
            </option>
          ))}
        </select>
      </search>
      <div className="wrap status">
        <p role="status">
          {isFiltered &&
            (count === 0
              ? t('questions_none')
              : t('questions_shown', { count: String(count), total: String(progress.total) }))}
        </p>
        {isFiltered && <a href={unfiltered}>{t('questions_clear')}</a>}
      </div>
      {shown.map((gap) => (
        <Point key={gap.id} gap={gap} part={part} isFiltered={isFiltered} />
      ))}
    </>
  );
}

const roleNames = {
  owner: 'role_owner',
  designer: 'role_designer',
  engineer: 'role_engineer',
  legal: 'role_legal',
} as const satisfies Record<Role, PlainKey>;

/** Returns how many questions are answered. */
function describeProgress({ answered, total }: Pick<Gap, 'answered' | 'total'>, t: Translate): string {
  if (answered === 0) return translateCount(t, 'point_questions', total);
  if (answered === total) return t('point_complete');
  return t('point_answered', { answered: String(answered), total: String(total) });
}

interface PointProps {
  readonly gap: Gap;
  /** Part of the address. */
  readonly part: string | undefined;
  /** Hides all but the questions. */
  readonly isFiltered: boolean;
}

function Point({ gap, part, isFiltered }: PointProps) {
  const t = useTranslate();
  const { id, number, title, known, questions, forNow } = gap;
  return (
    <section className={styles['point']}>
      <div className="wrap">
        <h2 className="title" tabIndex={-1} data-arrival={id === part || undefined}>
          <a href={`#/questions/${id}`}>
            {number}. {title}
          </a>
        </h2>
        {!isFiltered && <p className="status">{describeProgress(gap, t)}</p>}
      </div>
      {!isFiltered && <Facts label={t('gap_known')} paragraphs={known} />}
      <ol>
        {questions.map((question) => (
          <QuestionItem key={question.id} question={question} isNamed={question.id === part} />
        ))}
      </ol>
      {!isFiltered && <Facts label={t('gap_for_now')} paragraphs={forNow} />}
    </section>
  );
}

function Facts({ label, paragraphs }: { readonly label: string; readonly paragraphs: readonly string[] }) {
  return (
    <div className={`status ${styles['facts']}`}>
      <h3>{label}</h3>
      <div>
        {paragraphs.map((text) => (
          <p key={text}>
            <WithCode text={text} />
          </p>
        ))}
      </div>
    </div>
  );
}

function QuestionItem({ question, isNamed }: { readonly question: Question; readonly isNamed: boolean }) {
  const t = useTranslate();
  const { id, text, role, answer } = question;
  const isAnswered = isAnswer(answer);
  return (
    <li className={styles['question']} data-answered={isAnswered}>
      <a className="number" href={`#/questions/${id}`}>
        {id}
      </a>
      <h3 tabIndex={-1} data-arrival={isNamed || undefined}>
        <WithCode text={text} />
      </h3>
      <span className="status">{t(roleNames[role])}</span>
      {isAnswered && (
        <>
          <p className="visually-hidden">{t('question_answer')}</p>
          <p className={styles['answer']} dir="auto">
            {answer.replace(/^\n/u, '')}
          </p>
        </>
      )}
    </li>
  );
}

/** Renders a text of the project with its code, which is between backticks. */
function WithCode({ text }: { readonly text: string }) {
  // oxlint-disable-next-line react/no-array-index-key -- the parts never change
  return text.split('`').map((part, index) => (index % 2 === 0 ? part : <code key={index}>{part}</code>));
}

/**
 * Returns the text of the search, and a function that changes it and the address. The typed text is kept here, because some
 * keyboards type an emoji in two halves, and an address cannot contain one half.
 */
function useSearch(part: string | undefined, query: string) {
  const filter = parseFilter(query);
  const [known, setKnown] = useState(filter.search);
  const [search, setSearch] = useState(filter.search);
  if (known !== filter.search) {
    setKnown(filter.search);
    // The address changed by a link or the history, and not because these words were typed.
    if (filter.search !== search.toWellFormed()) setSearch(filter.search);
  }

  function type(typed: string): void {
    setSearch(typed);
    location.replace(filterAddress(part, { ...filter, search: typed }));
  }

  return [search, type] as const;
}

/** Returns functions that save and copy questions, which need no permission, and the result in words. */
function useTakeAway(markdown: string, isPart: boolean) {
  const t = useTranslate();
  const [latest, setLatest] = useState({ markdown, result: '' });
  const end = (result: string): void => setLatest({ markdown, result });

  function save(): void {
    const file = isPart ? 'questions.md' : 'SPEC_GAPS.md';
    saveFile({ name: file, text: markdown, type: 'text/markdown' });
    end(t('save_done', { file }));
  }

  function copy(): void {
    navigator.clipboard.writeText(markdown).then(
      () => end(t('copy_done')),
      () => end(t('copy_failed')),
    );
  }

  // Another filter removes the result of an earlier press.
  return { save, copy, result: latest.markdown === markdown ? latest.result : '' };
}
