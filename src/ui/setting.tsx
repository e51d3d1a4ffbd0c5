import { useState } from 'react';

import type { CallError } from '../messaging/errors.ts';
import type { ActionState } from './calls.ts';
import { useTranslate } from './extension.ts';
import { CallFailure } from './failure.tsx';

/** State of the latest change of a setting. */
export type SettingChange =
  | { readonly status: 'idle' | 'saving' | 'saved' }
  | { readonly status: 'failed'; readonly error: CallError; readonly retry: () => void };

/**
 * The settings to show while a mutation changes some of them: a choice is shown at once, and taken back if it cannot be
 * saved.
 *
 * @param stored the settings that the background sent last
 * @param mutation the mutation that changes the settings in its input and returns all of them
 */
export function useSetting<Settings extends object>(
  stored: Settings,
  mutation: ActionState<Partial<Settings>, Settings>,
): { readonly shown: Settings; readonly change: SettingChange } {
  // The settings that the background had sent before the mutation was done. Settings that arrive at the same moment count
  // as newer: either they are, or those of the mutation are about to arrive.
  const [known, setKnown] = useState(stored);
  if (mutation.status !== 'done' && known !== stored) setKnown(stored);

  switch (mutation.status) {
    case 'idle':
      return { shown: stored, change: { status: 'idle' } };
    case 'pending':
      return { shown: { ...stored, ...mutation.input }, change: { status: 'saving' } };
    case 'done': {
      const { input, output } = mutation;
      const shown = stored === known ? output : stored;
      const isUnchanged = (Object.keys(input) as (keyof Settings)[]).every(
        (key) => shown[key] === output[key],
      );
      return { shown, change: { status: isUnchanged ? 'saved' : 'idle' } };
    }
    case 'failed':
      return { shown: stored, change: mutation };
  }
}

interface SettingStatusProps {
  readonly change: SettingChange;
  /** Shown when the change was certainly not saved. */
  readonly failed: string;
  /** Shown when the page cannot tell whether it was saved. */
  readonly inDoubt: string;
}

/** Result of the latest change of a setting. The line is always rendered, so that a screen reader reads its text. */
export function SettingStatus({ change, failed, inDoubt }: SettingStatusProps) {
  const t = useTranslate();
  return (
    <>
      <p role="status" className="status">
        {change.status === 'saving' && t('setting_saving')}
        {change.status === 'saved' && t('setting_saved')}
      </p>
      <CallFailure
        state={change}
        what={change.status === 'failed' && change.error.delivery === 'unknown' ? inDoubt : failed}
      />
    </>
  );
}
