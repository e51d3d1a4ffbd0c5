import { type ReactNode, useState } from 'react';

import { gaps, markdown } from '../../SPEC_GAPS.md';
import {
  answerText,
  type Gap,
  type Paragraph,
  plainText,
  type Question,
  type Role,
} from '../contract/spec-gaps.ts';
import { useTranslate } from '../ui/extension.ts';
import { describeProgress, isComplete, pointAddress, ProgressSummary, Share } from '../ui/points.tsx';
import { type MessageKey, translateCount } from '../ui/text.ts';
import { AnswerBlocks } from './answer-blocks.tsx';
import styles from './specification.module.css';
import { TakeAway } from './take-away.tsx';
import { Prose, Section, ViewHeading } from './view-parts.tsx';

/** All points, or the one with this id; nothing where there is none. */
export function showSpecification(id?: string): ReactNode {
  if (id === undefined) return <AllPoints />;
  const gap = gaps.find((candidate) => candidate.id === id);
  return gap && <OnePoint key={id} gap={gap} />;
}

/** All nine points, or the questions that a person searches for. */
function AllPoints() {
  const t = useTranslate();
  const [search, setSearch] = useState('');
  const found = search.trim() === '' ? undefined : findQuestions(search);
  return (
    <>
      <ViewHeading title={t('specification')} />
      <div className={`stack ${styles['lead']}`}>
        <ProgressSummary />
        <p className="muted">{t('specification_intro')}</p>
        <TakeAway kind="save" markdown={markdown} />
      </div>
      <search className={`stack ${styles['search']}`}>
        <label className="stack">
          {t('search_questions')}
          <input
            type="search"
            className="field"
            aria-keyshortcuts="/"
            aria-describedby="search-keys"
            value={search}
            onChange={({ target }) => setSearch(target.value)}
          />
        </label>
        <p id="search-keys" className="status">
          {t('search_keys')}
        </p>
        <p role="status" className="status">
          {found && translateCount(t, 'search_found', found.length)}
        </p>
      </search>
      {found ? <FoundQuestions found={found} /> : <PointRows />}
    </>
  );
}

function PointRows() {
  const t = useTranslate();
  return (
    <ol className={styles['rows']}>
      {gaps.map((gap) => (
        <li key={gap.id}>
          <a className={`target wrap ${styles['row']}`} href={pointAddress(gap.id)}>
            <span className={`outlined ${styles['box']}`}>
              <span className="cell" data-complete={isComplete(gap)}>
                <span className="number">{gap.number}</span>
              </span>
              <Share of={gap} />
            </span>
            <span className={styles['title']}>{gap.title}</span>
            <span className="number">{describeProgress(gap, t)}</span>
          </a>
        </li>
      ))}
    </ol>
  );
}

interface FoundQuestion {
  readonly gap: Gap;
  readonly question: Question;
}

/** The questions that have all words of the search in their number, their text or their answer. */
function findQuestions(search: string): readonly FoundQuestion[] {
  const words = search.trim().toLowerCase().split(/\s+/u);
  return gaps.flatMap((gap) =>
    gap.questions
      .filter(({ id, text, answer }) => {
        const searched = [id, plainText(text), answerText(answer)].join('\n').toLowerCase();
        return words.every((word) => searched.includes(word));
      })
      .map((question) => ({ gap, question })),
  );
}

function FoundQuestions({ found }: { readonly found: readonly FoundQuestion[] }) {
  return (
    <ol className={styles['rows']}>
      {found.map(({ gap, question }) => (
        <li key={question.id}>
          <a className={`target wrap ${styles['row']}`} href={pointAddress(gap.id)}>
            <span className="number">{question.id}</span>
            <span className={styles['title']}>
              <Prose text={question.text} />
            </span>
          </a>
        </li>
      ))}
    </ol>
  );
}

/** Everything that is said of one point. */
function OnePoint({ gap }: { readonly gap: Gap }) {
  const t = useTranslate();
  return (
    <article>
      <ViewHeading title={gap.title}>
        <p className={`wrap status ${styles['status']}`}>
          <span>{t('point_number', { number: String(gap.number), total: String(gaps.length) })}</span>
          <span className={`cell ${styles['badge']}`} data-complete={isComplete(gap)}>
            {isComplete(gap)
              ? t('gap_complete')
              : translateCount(t, 'gap_unanswered', gap.total - gap.answered)}
          </span>
        </p>
      </ViewHeading>
      <Section title={t('gap_known')}>
        <Paragraphs texts={gap.known} />
      </Section>
      <Section title={t('gap_questions')}>
        <TakeAway kind="copy" markdown={gap.markdown} />
        <ol className={`stack ${styles['questions']}`}>
          {gap.questions.map((question) => (
            <QuestionItem key={question.id} question={question} />
          ))}
        </ol>
      </Section>
      <Section title={t('gap_for_now')}>
        <Paragraphs texts={gap.forNow} />
      </Section>
      <Section title={t('gap_places')}>
        <dl className="stack">
          {gap.places.map(({ path, text }) => (
            <div key={path}>
              <dt>
                <code>{path}</code>
              </dt>
              <dd className="muted">
                <Prose text={text} />
              </dd>
            </div>
          ))}
        </dl>
      </Section>
      <Neighbours gap={gap} />
    </article>
  );
}

const roles = {
  owner: 'role_owner',
  designer: 'role_designer',
  engineer: 'role_engineer',
  legal: 'role_legal',
} as const satisfies Record<Role, MessageKey>;

/** A question, who can answer it, and its answer. */
function QuestionItem({ question }: { readonly question: Question }) {
  const t = useTranslate();
  const { id, text, role, isStart, answer } = question;
  return (
    <li>
      <span className="number">{id}</span>
      <div>
        <p>
          <Prose text={text} />
        </p>
        <p className="status">
          {t(roles[role])}
          {isStart && ` · ${t('question_start')}`}
        </p>
        {answer.length > 0 && (
          <div className={`stack ${styles['answer']}`}>
            <p className="status">{t('question_answer')}</p>
            <AnswerBlocks blocks={answer} />
          </div>
        )}
      </div>
    </li>
  );
}

function Paragraphs({ texts }: { readonly texts: readonly Paragraph[] }) {
  return texts.map((text) => (
    <p key={plainText(text)}>
      <Prose text={text} />
    </p>
  ));
}

/** The points before and after this one. */
function Neighbours({ gap }: { readonly gap: Gap }) {
  const t = useTranslate();
  const previous = gaps[gap.number - 2];
  const next = gaps[gap.number];

  return (
    <nav aria-label={t('gap_neighbours')} className={`wrap ${styles['neighbours']}`}>
      {previous && (
        <a href={pointAddress(previous.id)} rel="prev" className="target">
          <span className="status">{t('gap_previous')}</span> {previous.title}
        </a>
      )}
      {next && (
        <a href={pointAddress(next.id)} rel="next" className="target">
          <span className="status">{t('gap_next')}</span> {next.title}
        </a>
      )}
    </nav>
  );
}
