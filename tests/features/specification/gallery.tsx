import { points } from '../../../SPEC_GAPS.md?points';
import aside from '../../../src/features/specification/aside.module.css';
import { PointGrid } from '../../../src/features/specification/points.tsx';
import popup from '../../../src/features/specification/popup.module.css';
import { useTranslate } from '../../../src/ui/extension.ts';
import { calmWorker } from '../../gallery/fixed-worker.ts';
import type { GalleryState } from '../../gallery/states.tsx';
import './gallery.css';

/** The points with different shares of answered questions, from none to all. */
const mixed = points.map(({ id, number, title }, index) => {
  return { id, number, title, answered: index, total: points.length - 1 };
});

/** The points in the style of the popup and in the style of the options page. */
function EveryCell() {
  const t = useTranslate();
  return (
    <main className="cells">
      <h1>{t('points')}</h1>
      {Object.entries({ tiles: { ...popup, grid: popup['tiles'], cell: popup['tile'] }, aside }).map(
        ([name, look]) => (
          <nav key={name} aria-label={name} className={name}>
            <PointGrid points={mixed} current="entities" look={look} />
          </nav>
        ),
      )}
    </main>
  );
}

export const states: readonly [name: string, state: GalleryState][] = [
  [
    'options: point',
    { subject: '#/questions/states', worker: calmWorker, says: 'gap_questions', picture: 'point' },
  ],
  ['options: question', { subject: '#/questions/7.3', worker: calmWorker, says: 'gap_questions' }],
  [
    'options: filtered',
    {
      subject: '#/questions?role=engineer&open',
      worker: calmWorker,
      says: 'question_unanswered',
      picture: 'filtered',
    },
  ],
  [
    'options: nothing found',
    { subject: '#/questions?search=nowhere', worker: calmWorker, says: 'questions_none' },
  ],
  ['cells: open, in part and fully answered', { subject: <EveryCell />, worker: calmWorker, says: 'points' }],
];
