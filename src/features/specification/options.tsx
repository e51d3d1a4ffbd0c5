import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';

import { gaps as ownGaps, markdown as ownMarkdown } from '../../../SPEC_GAPS.md';
import { Button, Checkbox } from '../../ui/controls.tsx';
import { useTranslate } from '../../ui/extension.ts';
import { Status } from '../../ui/status.tsx';
import { type PlainKey, type Translate, translateCount } from '../../ui/text.ts';
import { saveFile, ViewHeading } from '../../ui/view.tsx';
import styles from './questions.module.css';
import {
  findQuestions,
  type Gap,
  isAnswer,
  mayBeOpen,
  progressOf,
  type Question,
  type Role,
  roles,
  toMarkdown,
} from './spec-gaps.ts';

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
  const [latest, setLatest] = useState({ query, result: '' });
  // Another filter removes the result of an earlier press.
  if (latest.query !== query) setLatest({ query, result: '' });
  // A filter does not change this part of the address, so that it does not move the focus.
  const address = part === undefined ? '#/questions' : `#/questions/${part}`;
  const filter = new URLSearchParams(query);
  const isFiltered = filter.size > 0;
  const shown = findQuestions(gaps, filter);
  const count = progressOf(shown).total;
  const { answered, total } = progressOf(gaps);
  const text = isFiltered ? toMarkdown(shown) : markdown;
  const show = (result: string): void => setLatest({ query, result });

  function save(): void {
    const file = isFiltered ? 'questions.md' : 'SPEC_GAPS.md';
    saveFile({ name: file, text, type: 'text/markdown' });
    show(t('save_done', { file }));
  }

  function copy(): void {
    navigator.clipboard.writeText(text).then(
      () => show(t('copy_done')),
      () => show(t('copy_failed')),
    );
  }

  function describeCount(): string {
    if (count === 0) return t('questions_none');
    return t('questions_shown', { count: String(count), total: String(total) });
  }

  return (
    <>
      <div className={`wrap ${styles['head']}`}>
        <ViewHeading name="questions" />
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
        {answered === total
          ? t('questions_complete')
          : t('questions_how', { progress: describeProgress(gaps, t) })}
      </p>
      <Status text={latest.result} occasion={latest} />
      <Filters address={address} filter={filter} />
      <div className="wrap status">
        <Status text={isFiltered ? describeCount() : ''} occasion={query} />
        {isFiltered && <a href={address}>{t('questions_clear')}</a>}
      </div>
      {shown.map((gap) => (
        <Point key={gap.id} gap={gap} part={part} isFiltered={isFiltered} />
      ))}
    </>
  );
}

interface FiltersProps {
  /** The address without a filter. */
  readonly address: string;
  readonly filter: URLSearchParams;
}

/** Milliseconds between two changes of the address by typing. Browsers refuse more than 200 changes in 10 seconds. */
const PAUSE = 100;

/** The filters, which are a part of the address, so that a link shows the same questions. */
function Filters({ address, filter }: FiltersProps) {
  const t = useTranslate();
  const field = useRef<HTMLInputElement>(null);
  const search = filter.get('search') ?? '';

  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  // The field keeps its own text, because some keyboards type an emoji in two halves, and an address cannot contain one half.
  useLayoutEffect(() => {
    // While a person types, the address is older than the field.
    if (timer.current !== undefined) return;
    if (field.current && field.current.value.toWellFormed() !== search) field.current.value = search;
  }, [search]);

  /** Returns the address with the text of the field, and another value of a filter. An empty value removes a filter. */
  function addressWith(values: Readonly<Record<string, string>> = {}): string {
    // The page may not show the latest address yet.
    const changed = new URLSearchParams(location.hash.replace(/^[^?]*/u, ''));
    for (const [name, value] of Object.entries({ search: field.current?.value ?? '', ...values })) {
      if (value === '') changed.delete(name);
      else changed.set(name, value);
    }
    return changed.size > 0 ? `${address}?${changed}` : address;
  }

  function searchSoon(): void {
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      location.replace(addressWith());
    }, PAUSE);
  }

  return (
    <search className={`wrap ${styles['filters']}`}>
      <input
        ref={field}
        type="search"
        className="field"
        aria-label={t('search_questions')}
        placeholder={t('search_questions')}
        onChange={searchSoon}
      />
      {(['start', 'open'] as const).map((name) => (
        <Checkbox
          key={name}
          label={t(name === 'start' ? 'question_start' : 'question_unanswered')}
          isChecked={filter.has(name)}
          onChange={(isChecked) => location.assign(addressWith({ [name]: isChecked ? 'on' : '' }))}
        />
      ))}
      <select
        className="field"
        aria-label={t('question_role')}
        value={filter.get('role') ?? ''}
        onChange={({ target }) => location.assign(addressWith({ role: target.value }))}
      >
        <option value="">{t('role_all')}</option>
        {roles.map((role) => (
          <option key={role} value={role}>
            {t(roleNames[role])}
          </option>
        ))}
      </select>
    </search>
  );
}

const roleNames = {
  owner: 'role_owner',
  designer: 'role_designer',
  engineer: 'role_engineer',
  legal: 'role_legal',
} as const satisfies Record<Role, PlainKey>;

function describeProgress(gaps: readonly Gap[], t: Translate): string {
  const { answered, total } = progressOf(gaps);
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
        {!isFiltered && <p className="status">{describeProgress([gap], t)}</p>}
      </div>
      {!isFiltered && <Facts label={t('gap_known')} text={known} />}
      <ol>
        {questions.map((question) => (
          <QuestionItem key={question.id} question={question} isNamed={question.id === part} />
        ))}
      </ol>
      {!isFiltered && <Facts label={t('gap_for_now')} text={forNow} />}
    </section>
  );
}

function Facts({ label, text }: { readonly label: string; readonly text: string }) {
  return (
    <div className={`status ${styles['facts']}`}>
      <h3 className="name">{label}</h3>
      <p>
        <WithCode text={text} />
      </p>
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
      <h3 className={`name ${isAnswered ? 'status' : ''}`} tabIndex={-1} data-arrival={isNamed || undefined}>
        <WithCode text={text} />
      </h3>
      <span className="status">
        {t(roleNames[role])}
        {mayBeOpen(answer) && ` · ${t('question_may_be_open')}`}
      </span>
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
