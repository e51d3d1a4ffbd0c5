import * as own from '../../../SPEC_GAPS.md?points';
import { useOptionsLink, useTranslate } from '../../ui/extension.ts';
import styles from './popup.module.css';
import type { Summary } from './spec-gaps.ts';

/** The part of the popup that says what the product needs. By default it shows the progress when the extension was built. */
export function QuestionsPart({ summary: { points, next } = own }: { readonly summary?: Summary }) {
  const t = useTranslate();
  const linkTo = useOptionsLink();
  return (
    <>
      <div className={`stack ${styles['lead']}`}>
        <h1 className="title">{t(next ? 'popup_unspecified' : 'popup_complete')}</h1>
        <p className="muted">
          {next
            ? t(next.isStart ? 'popup_first' : 'popup_left', { count: String(next.left) })
            : t('popup_complete_how')}
        </p>
        <a
          className="button"
          data-primary="true"
          {...linkTo(next ? `#/questions/${next.id}?${next.isStart ? 'start' : 'open'}` : '#/questions')}
        >
          {t(next ? 'popup_open' : 'popup_read')}
        </a>
      </div>
      <nav aria-label={t('points')}>
        <ol className={styles['cells']}>
          {points.map((point) => (
            <li key={point.id}>
              <Cell point={point} />
            </li>
          ))}
        </ol>
      </nav>
    </>
  );
}

/** A link to a point, with an outline that shows the answered share of its questions. */
function Cell({
  point: { id, number, title, answered, total },
}: {
  readonly point: Summary['points'][number];
}) {
  const t = useTranslate();
  const linkTo = useOptionsLink();
  return (
    <a className={styles['cell']} {...linkTo(`#/questions/${id}`)}>
      <span className="number">{number}</span> <span>{title}</span>
      {answered > 0 && (
        <>
          {' '}
          <span className="visually-hidden">
            {t('point_answered', { answered: String(answered), total: String(total) })}
          </span>
          <svg className={styles['share']} aria-hidden="true">
            <rect pathLength="100" strokeDasharray={`${(100 * answered) / total} 100`} />
          </svg>
        </>
      )}
    </a>
  );
}
