import { type ReactNode, useState } from 'react';

import { gaps as ownGaps, markdown as ownMarkdown } from '../../../SPEC_GAPS.md';
import { Button } from '../../ui/controls.tsx';
import { useTranslate } from '../../ui/extension.ts';
import { Failure } from '../../ui/failure.tsx';
import { type MessageKey, translateCount } from '../../ui/text.ts';
import { saveFile, ViewHeading } from '../../ui/view.tsx';
import { filterAddress, findQuestions, noFilter, parseFilter, toMarkdown } from './filter.ts';
import styles from './questions.module.css';
import { type Gap, isAnswer, type Question, type Role, roles } from './spec-gaps.ts';

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
  const shown = findQuestions(gaps, filter);
  const isFiltered = filterAddress(undefined, filter) !== filterAddress(undefined, noFilter);
  const count = shown.reduce((sum, { questions }) => sum + questions.length, 0);
  const takeAway = useTakeAway(isFiltered ? toMarkdown(shown) : markdown, isFiltered);

  return (
    <>
      <div className={`wrap ${styles['head']}`}>
        <ViewHeading title={t('questions')} />
        {count > 0 && (
          <div className="wrap">
            <Button isPrimary onPress={takeAway.save}>
              {isFiltered ? translateCount(t, 'save_questions', count) : t('save_questionnaire')}
            </Button>
            <Button onPress={takeAway.copy}>{t('copy_questions')}</Button>
          </div>
        )}
      </div>
      <p className="status">
        <Lead gaps={gaps} />
      </p>
      {takeAway.result}
      <search className={`wrap ${styles['filters']}`}>
        <input
          type="search"
          className={`field ${styles['search']}`}
          aria-label={t('search_questions')}
          placeholder={t('search_questions')}
          value={search}
          onChange={({ target }) => type(target.value)}
        />
        <Toggle
          label={t('question_start')}
          isOn={filter.isStart}
          href={filterAddress(part, { ...filter, isStart: !filter.isStart })}
        />
        <Toggle
          label={t('question_unanswered')}
          isOn={filter.isOpen}
          href={filterAddress(part, { ...filter, isOpen: !filter.isOpen })}
        />
        <select
          className={`field ${styles['role']}`}
          aria-label={t('question_role')}
          value={filter.role ?? ''}
          onChange={({ target }) => {
            const role = roles.find((each) => each === target.value);
            location.assign(filterAddress(part, { ...filter, role }));
          }}
        >
          <option value="">{t('role_all')}</option>
          {roles.map((role) => (
            <option key={role} value={role}>
              {t(roleNames[role])}
            </option>
          ))}
        </select>
      </search>
      <div className={`wrap ${styles['found']}`}>
        <p role="status" className="status">
          {isFiltered && (count === 0 ? t('questions_none') : translateCount(t, 'search_found', count))}
        </p>
        {isFiltered && <a href={filterAddress(part, noFilter)}>{t('questions_clear')}</a>}
      </div>
      {shown.map((gap) => (
        <Point key={gap.id} gap={gap} part={part} isFiltered={isFiltered} />
      ))}
    </>
  );
}

/** Says how many questions are answered, and what to do. */
function Lead({ gaps }: { readonly gaps: readonly Gap[] }) {
  const t = useTranslate();
  const [answered, total] = (['answered', 'total'] as const).map((key) =>
    gaps.reduce((sum, gap) => sum + gap[key], 0),
  );
  if (answered === total) return t('questions_complete');
  const progress =
    answered === 0
      ? t('questions_unanswered', { total: String(total) })
      : t('questions_answered', { answered: String(answered), total: String(total) });
  return `${progress} ${t('questions_how')}`;
}

/** A filter as a link, so that its address can be copied. */
function Toggle({
  label,
  isOn,
  href,
}: {
  readonly label: string;
  readonly isOn: boolean;
  readonly href: string;
}) {
  return (
    <a className={`button ${styles['toggle']}`} href={href} aria-current={isOn ? 'true' : undefined}>
      {label}
    </a>
  );
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
  const { id, number, title, answered, total, known, questions, forNow } = gap;
  const counts = { answered: String(answered), total: String(total) };
  return (
    <section className={styles['point']}>
      <div className={`wrap ${styles['title']}`}>
        <h2 tabIndex={-1} data-arrival={id === part || undefined}>
          <a href={`#/questions/${id}`}>
            {number}. {title}
          </a>
        </h2>
        <p className="status" hidden={isFiltered}>
          {answered === 0 && translateCount(t, 'point_questions', total)}
          {answered > 0 && (answered === total ? t('point_complete') : t('point_answered', counts))}
        </p>
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
    <div className={styles['facts']}>
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

const roleNames = {
  owner: 'role_owner',
  designer: 'role_designer',
  engineer: 'role_engineer',
  legal: 'role_legal',
} as const satisfies Record<Role, MessageKey>;

function QuestionItem({ question, isNamed }: { readonly question: Question; readonly isNamed: boolean }) {
  const t = useTranslate();
  const { id, text, role, answer } = question;
  const isAnswered = isAnswer(answer);
  return (
    <li className={styles['question']} data-named={isNamed} data-answered={isAnswered}>
      <a className="number" href={`#/questions/${id}`}>
        {id}
      </a>
      <h3 tabIndex={-1} data-arrival={isNamed || undefined}>
        <WithCode text={text} />
      </h3>
      <span className="status">{t(roleNames[role])}</span>
      {isAnswered && (
        <div className={styles['answer']}>
          <p className="visually-hidden">{t('question_answer')}</p>
          <p dir="auto">{answer.replace(/^\n/u, '')}</p>
        </div>
      )}
    </li>
  );
}

/** Renders a text of the project with its code, which is between backticks. */
function WithCode({ text }: { readonly text: string }) {
  // oxlint-disable-next-line react/no-array-index-key -- the parts never change
  return text.split('`').map((part, index) => (index % 2 === 0 ? part : <code key={index}>{part}</code>));
}

/** Returns the words of the search, and a function that changes them and the address. */
function useSearch(
  part: string | undefined,
  query: string,
): readonly [search: string, type: (search: string) => void] {
  const filter = parseFilter(query);
  const [known, setKnown] = useState(filter.search);
  const [search, setSearch] = useState(filter.search);
  if (known !== filter.search) {
    setKnown(filter.search);
    // The address changed by a link or the history, and not because these words were typed.
    if (filter.search.trim() !== search.toWellFormed().trim()) setSearch(filter.search);
  }

  function type(typed: string): void {
    setSearch(typed);
    location.replace(filterAddress(part, { ...filter, search: typed }));
  }

  return [search, type];
}

interface Ended {
  readonly way: 'save' | 'copy';
  readonly status: 'done' | 'failed';
  readonly markdown: string;
}

/** Returns the functions that save and copy questions, which need no permission, and the result to show. */
function useTakeAway(markdown: string, isPart: boolean) {
  const t = useTranslate();
  const [latest, setLatest] = useState<Ended>();
  // Another filter removes the result of an earlier press.
  const ended = latest?.markdown === markdown ? latest : undefined;
  const file = isPart ? 'questions.md' : 'SPEC_GAPS.md';

  function end(way: Ended['way'], status: Ended['status']): void {
    setLatest({ way, status, markdown });
  }

  function save(): void {
    try {
      saveFile({ name: file, text: markdown, type: 'text/markdown' });
      end('save', 'done');
    } catch {
      end('save', 'failed');
    }
  }

  function copy(): void {
    navigator.clipboard.writeText(markdown).then(
      () => end('copy', 'done'),
      () => end('copy', 'failed'),
    );
  }

  const failures = {
    save: {
      what: t('save_failed'),
      advice: t('save_failed_advice'),
      action: { label: t('retry'), run: save },
    },
    copy: {
      what: t('copy_failed'),
      advice: t('copy_failed_advice'),
      action: { label: t('retry'), run: copy },
    },
  };
  const result = (
    <>
      <p role="status" className={`status ${styles['taken']}`}>
        {ended?.status === 'done' && (ended.way === 'save' ? t('save_done', { file }) : t('copy_done'))}
      </p>
      <Failure problem={ended?.status === 'failed' ? failures[ended.way] : undefined} />
    </>
  );
  return { save, copy, result };
}
