import { gaps } from '../../../SPEC_GAPS.md';
import { useTranslate } from '../../ui/extension.ts';
import { translateCount } from '../../ui/text.ts';
import { Section, ViewHeading } from '../../ui/view.tsx';
import { type QuestionFilter, questionsAddress } from './filter.ts';
import { isComplete } from './points.tsx';
import { Prose } from './prose.tsx';
import { QuestionItem } from './question-item.tsx';
import styles from './questions.module.css';
import { type Gap, type Paragraph, plainText } from './spec-gaps.ts';
import { CopyQuestion, TakeAway } from './take-away.tsx';

interface PointPageProps {
  readonly gap: Gap;
  /** The part of the address: the id of the point or the number of one of its questions. */
  readonly named: string;
  /** Filter of the list from which the person came. */
  readonly filter: QuestionFilter;
}

/** The view of one point: its known facts, its questions and their answers. */
export function PointPage({ gap, named, filter }: PointPageProps) {
  const t = useTranslate();
  return (
    <article>
      <ViewHeading title={gap.title}>
        <nav aria-label={t('questions_breadcrumb')} className={`wrap status ${styles['crumbs']}`}>
          <a href={questionsAddress(filter)}>{t('questions')}</a>
          <span>{t('point_number', { number: String(gap.number), total: String(gaps.length) })}</span>
          <span className={styles['state']} data-state={isComplete(gap)}>
            {isComplete(gap)
              ? t('gap_complete')
              : translateCount(t, 'gap_unanswered', gap.total - gap.answered)}
          </span>
        </nav>
      </ViewHeading>
      <Section title={t('gap_known')}>
        <Paragraphs texts={gap.known} />
      </Section>
      <Section title={t('gap_questions')}>
        <p className={`status ${styles['take']}`}>{t('gap_answer_how')}</p>
        <TakeAway markdown={gap.markdown} count={gap.total} />
        <ol className={styles['questions']}>
          {gap.questions.map((question) => (
            <QuestionItem key={question.id} question={question} isNamed={question.id === named}>
              <CopyQuestion id={question.id} markdown={question.markdown} />
            </QuestionItem>
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

function Paragraphs({ texts }: { readonly texts: readonly Paragraph[] }) {
  return texts.map((text) => (
    <p key={plainText(text)}>
      <Prose text={text} />
    </p>
  ));
}

function Neighbours({ gap }: { readonly gap: Gap }) {
  const t = useTranslate();
  const previous = gaps[gap.number - 2];
  const next = gaps[gap.number];

  return (
    <nav aria-label={t('gap_neighbours')} className={`wrap ${styles['neighbours']}`}>
      {previous && (
        <a href={questionsAddress(undefined, previous.id)} rel="prev">
          <span className="status">{t('gap_previous')}</span> {previous.title}
        </a>
      )}
      {next && (
        <a href={questionsAddress(undefined, next.id)} rel="next">
          <span className="status">{t('gap_next')}</span> {next.title}
        </a>
      )}
    </nav>
  );
}
