import { useState } from 'react';

import { Button } from '../../ui/controls.tsx';
import { useTranslate } from '../../ui/extension.ts';
import { Failure } from '../../ui/failure.tsx';
import { type MessageKey, translateCount } from '../../ui/text.ts';
import { saveFile } from '../../ui/view.tsx';
import styles from './questions.module.css';

/** Ways to take questions out of the extension. Neither needs a permission. */
const ways = {
  save: {
    run: async (text: string, file: string): Promise<void> =>
      saveFile({ name: file, text, type: 'text/markdown' }),
    failed: ['save_failed', 'save_failed_advice'],
  },
  copy: {
    run: (text: string): Promise<void> => navigator.clipboard.writeText(text),
    failed: ['copy_failed', 'copy_failed_advice'],
  },
} as const satisfies Record<
  string,
  {
    run: (text: string, file: string) => Promise<void>;
    failed: readonly [what: MessageKey, advice: MessageKey];
  }
>;

type Way = keyof typeof ways;

interface TakeAwayProps {
  /** The questions, in the format of `SPEC_GAPS.md`. */
  readonly markdown: string;
  /** Number of the questions, if they are only a part of the questionnaire. */
  readonly count?: number | undefined;
}

/** Buttons that save or copy questions, with a text about the result and the next step. */
export function TakeAway({ markdown, count }: TakeAwayProps) {
  const t = useTranslate();
  const file = count === undefined ? 'SPEC_GAPS.md' : 'questions.md';
  const [ended, take] = useTakeAway(markdown, file);

  return (
    <div className={`stack ${styles['take']}`}>
      <div className="wrap">
        <Button isPrimary onPress={() => take('save')}>
          {count === undefined ? t('save_questionnaire') : translateCount(t, 'save_questions', count)}
        </Button>
        <Button onPress={() => take('copy')}>
          {count === undefined ? t('copy_questionnaire') : translateCount(t, 'copy_questions', count)}
        </Button>
      </div>
      <p role="status" className="status">
        {ended?.status === 'done' && (ended.way === 'save' ? t('save_done', { file }) : t('copy_done'))}
      </p>
      <TakeAwayFailure ended={ended} onRetry={take} />
    </div>
  );
}

/** Button that copies one question and its answer. */
export function CopyQuestion({ id, markdown }: { readonly id: string; readonly markdown: string }) {
  const t = useTranslate();
  const [ended, take] = useTakeAway(markdown, '');

  return (
    <>
      <button type="button" className="link" onClick={() => take('copy')}>
        {t('copy_question')} <span className="visually-hidden">{id}</span>
      </button>
      <span role="status">{ended?.status === 'done' && t('copy_question_done')}</span>
      <TakeAwayFailure ended={ended} onRetry={take} />
    </>
  );
}

interface Ended {
  readonly status: 'done' | 'failed';
  readonly way: Way;
}

function useTakeAway(markdown: string, file: string): readonly [Ended | undefined, (way: Way) => void] {
  const [ended, setEnded] = useState<Ended>();

  function take(way: Way): void {
    setEnded(undefined);
    ways[way].run(markdown, file).then(
      () => setEnded({ status: 'done', way }),
      () => setEnded({ status: 'failed', way }),
    );
  }

  return [ended, take];
}

interface TakeAwayFailureProps {
  readonly ended: Ended | undefined;
  readonly onRetry: (way: Way) => void;
}

function TakeAwayFailure({ ended, onRetry }: TakeAwayFailureProps) {
  const t = useTranslate();
  if (ended?.status !== 'failed') return <Failure problem={undefined} />;
  const [what, advice] = ways[ended.way].failed;
  const action = { label: t('retry'), run: () => onRetry(ended.way) };
  return <Failure problem={{ what: t(what), advice: t(advice), action }} />;
}
