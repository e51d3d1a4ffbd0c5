import { points, start } from '../../../SPEC_GAPS.md?points';
import { useOptionsLink, useTranslate } from '../../ui/extension.ts';
import { describeStart, isComplete, PointGrid } from './points.tsx';
import styles from './popup.module.css';
import { addProgress } from './spec-gaps.ts';

/** Part of the popup with the progress and the nine points. Both are fixed when the extension is built. */
export function QuestionsPart() {
  const t = useTranslate();
  return (
    <>
      <div className={styles['summary']}>
        <Progress />
      </div>
      <nav aria-label={t('points')}>
        <PointGrid
          points={points}
          look={{ grid: styles['tiles'], cell: styles['tile'], title: styles['title'] }}
        />
      </nav>
    </>
  );
}

function Progress() {
  const t = useTranslate();
  const linkTo = useOptionsLink();
  const all = addProgress(points);
  const text = { answered: String(all.answered), total: String(all.total) };

  return (
    <>
      <p className={styles['answered']}>
        <a {...linkTo('#/questions')}>{t('questions_answered', text)}</a>
      </p>
      <p className="muted">{t(isComplete(all) ? 'popup_complete' : 'popup_intro')}</p>
      {!isComplete(all) && <NextStep open={all.total - all.answered} />}
    </>
  );
}

/** Links to the questions to start with, or once these are answered, to the unanswered questions. */
function NextStep({ open }: { readonly open: number }) {
  const t = useTranslate();
  const linkTo = useOptionsLink();
  const isStartComplete = isComplete(start);
  return (
    <p className={`status ${styles['next']}`}>
      <a
        {...linkTo(isStartComplete ? '#/questions?open' : '#/questions?start')}
        className="button"
        data-primary="true"
      >
        {isStartComplete ? t('popup_open', { count: String(open) }) : t('question_start')}
      </a>
      {!isStartComplete && <span>{describeStart(start, t)}</span>}
    </p>
  );
}
