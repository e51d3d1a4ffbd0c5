import type { ReactNode } from 'react';

import { gaps } from '../../SPEC_GAPS.md';
import type { Gap, Paragraph } from '../contract/spec-gaps.ts';
import { useTranslate } from '../ui/extension.ts';
import { pointAddress, SpecifiedSummary } from '../ui/points.tsx';
import { formatNumber, translateCount } from '../ui/text.ts';
import styles from './specification.module.css';
import { paragraphText, Prose, Section, ViewHeading } from './view-parts.tsx';

/** All points, or the one with this id; nothing where there is none. */
export function showSpecification(id?: string): ReactNode {
  if (id === undefined) return <AllPoints />;
  const gap = gaps.find((candidate) => candidate.id === id);
  return gap && <OnePoint key={id} gap={gap} />;
}

/** All nine points, each with what is left to be answered. */
function AllPoints() {
  const t = useTranslate();
  return (
    <>
      <ViewHeading title={t('specification')} />
      <div className={styles['lead']}>
        <SpecifiedSummary />
        <p className="muted">{t('specification_intro')}</p>
      </div>
      <ol className={styles['rows']}>
        {gaps.map(({ id, number, title, status, questions }) => (
          <li key={id}>
            <a className={`target wrap ${styles['row']}`} href={pointAddress(id)}>
              <span className={`cell ${styles['box']}`} data-status={status}>
                <span className="number">{formatNumber(number, t('text_language'))}</span>
              </span>
              <span className={styles['title']}>{title}</span>
              <span className="number">
                {status === 'specified'
                  ? t('point_specified')
                  : translateCount(t, 'gap_questions', questions.length)}
              </span>
            </a>
          </li>
        ))}
      </ol>
    </>
  );
}

/** Everything that is said of one point. */
function OnePoint({ gap }: { readonly gap: Gap }) {
  const t = useTranslate();
  const format = (value: number): string => formatNumber(value, t('text_language'));
  return (
    <article>
      <ViewHeading title={gap.title}>
        <p className={`wrap status ${styles['status']}`}>
          <span>{t('point_number', { number: format(gap.number), total: format(gaps.length) })}</span>
          <span className={`cell ${styles['badge']}`} data-status={gap.status}>
            {t(gap.status === 'specified' ? 'point_specified' : 'point_open')}
          </span>
        </p>
      </ViewHeading>
      <Section title={t('gap_known')}>
        <Paragraphs texts={gap.known} />
      </Section>
      <Section title={t('gap_to_be_answered')}>
        {gap.questions.length === 0 ? (
          <p>{t('gap_all_answered')}</p>
        ) : (
          <ol className="list">
            {gap.questions.map((text) => (
              <li key={paragraphText(text)}>
                <Prose text={text} />
              </li>
            ))}
          </ol>
        )}
      </Section>
      <Section title={t('gap_meanwhile')}>
        <Paragraphs texts={gap.meanwhile} />
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
    <p key={paragraphText(text)}>
      <Prose text={text} />
    </p>
  ));
}

/** The points before and after this one. */
function Neighbours({ gap }: { readonly gap: Gap }) {
  const t = useTranslate();
  const index = gaps.indexOf(gap);
  const previous = index > 0 ? gaps[index - 1] : undefined;
  const next = gaps[index + 1];

  return (
    <nav aria-label={t('gap_neighbours')} className={`wrap ${styles['neighbours']}`}>
      {previous && (
        <a href={pointAddress(previous.id)} rel="prev" className="target">
          <span className="muted">{t('gap_previous')}</span> {previous.title}
        </a>
      )}
      {next && (
        <a href={pointAddress(next.id)} rel="next" className="target">
          <span className="muted">{t('gap_next')}</span> {next.title}
        </a>
      )}
    </nav>
  );
}
