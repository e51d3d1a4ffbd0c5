import { gaps, markdown } from '../../../SPEC_GAPS.md';
import { QuestionsPage } from '../../../src/features/specification/options.tsx';
import { QuestionsPart } from '../../../src/features/specification/popup.tsx';
import { type Gap, summarize } from '../../../src/features/specification/spec-gaps.ts';
import { calmWorker } from '../../gallery/fixed-worker.ts';
import type { GalleryState } from '../../gallery/states.tsx';

const ANSWERS = [
  'Does not apply, because the product has none.',
  '\nKiosk\nExample Ltd\n1 Example Street',
  'https://*.example.org/* and \\\\server\\share, never __init__.py',
  '\n| Call | Repeat |\n| --- | --- |\n| GET /a | yes |',
  'Not decided yet.',
  'long'.repeat(60),
  '\nالمتجر فقط\n\nThen everything else.',
];

/** Returns the points with answers to the first questions of each, at most `most`. */
function answer(most: (point: number) => number): readonly Gap[] {
  return gaps.map((gap) => {
    const questions = gap.questions.map((question, index) => ({
      ...question,
      answer: index < most(gap.number) ? (ANSWERS[index % ANSWERS.length] ?? '') : '',
    }));
    return { ...gap, questions };
  });
}

const answered = { none: answer(() => 0), some: answer((point) => point - 1), all: answer(() => 99) };

export const states: readonly [name: string, state: GalleryState][] = [
  ['options: question', { subject: '#/questions/7.3', worker: calmWorker, says: 'gap_known' }],
  [
    'options: filtered',
    {
      subject: '#/questions?role=engineer&open',
      worker: calmWorker,
      says: 'questions_clear',
      picture: 'filtered',
    },
  ],
  [
    'options: nothing found',
    { subject: '#/questions?search=nowhere', worker: calmWorker, says: 'questions_none' },
  ],
  ...Object.entries(answered).flatMap(([name, some]): [string, GalleryState][] => [
    [
      `questions: ${name} answered`,
      {
        subject: (
          <main style={{ maxInlineSize: '46rem', padding: '1rem' }}>
            {/* The view *Questions* has all points. */}
            <QuestionsPage gaps={some.slice(-2)} markdown={markdown} />
          </main>
        ),
        worker: calmWorker,
        says: 'questions',
      },
    ],
    [
      `points: ${name} answered`,
      {
        subject: (
          <main className="popup">
            <QuestionsPart summary={summarize(some)} />
          </main>
        ),
        worker: calmWorker,
        says: name === 'all' ? 'popup_complete' : 'popup_unspecified',
      },
    ],
  ]),
];
