import { useState } from 'react';

import { Button } from '../ui/controls.tsx';
import { useTranslate } from '../ui/extension.ts';
import { Failure } from '../ui/failure.tsx';
import type { MessageKey } from '../ui/text.ts';
import { saveFile } from './view-parts.tsx';

/** How questions leave the extension: one point by the clipboard, all of them as a file that replaces `SPEC_GAPS.md`. */
const kinds = {
  copy: {
    run: (text: string): Promise<void> => navigator.clipboard.writeText(text),
    texts: ['copy_questions', 'copy_done', 'copy_failed', 'copy_failed_advice'],
  },
  save: {
    run: async (text: string): Promise<void> => saveFile('SPEC_GAPS.md', text, 'text/markdown'),
    texts: ['save_questionnaire', 'save_done', 'save_failed', 'save_failed_advice'],
  },
} as const satisfies Record<string, { run: (text: string) => Promise<void>; texts: readonly MessageKey[] }>;

interface TakeAwayProps {
  readonly kind: keyof typeof kinds;
  /** In the format of `SPEC_GAPS.md`. */
  readonly markdown: string;
}

/** Takes questions out of the extension, and says how that ended. Neither way needs a permission. */
export function TakeAway({ kind, markdown }: TakeAwayProps) {
  const t = useTranslate();
  const [status, setStatus] = useState<'idle' | 'done' | 'failed'>('idle');
  const { run, texts } = kinds[kind];
  const [label, done, what, advice] = texts;
  const problem = { what: t(what), advice: t(advice), action: { label: t('retry'), run: take } };

  return (
    <div>
      <div className="wrap">
        <Button onPress={take}>{t(label)}</Button>
        <p role="status" className="status">
          {status === 'done' && t(done)}
        </p>
      </div>
      <Failure problem={status === 'failed' ? problem : undefined} />
    </div>
  );

  function take(): void {
    setStatus('idle');
    run(markdown).then(
      () => setStatus('done'),
      () => setStatus('failed'),
    );
  }
}
