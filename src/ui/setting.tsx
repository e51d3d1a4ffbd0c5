import { useState } from 'react';

import type { CallError } from '../messaging/errors.ts';
import type { ActionState } from './calls.ts';
import { useTranslate } from './extension.ts';
import { CallFailure } from './failure.tsx';

/** State of the latest change of a setting. */
export type SettingChange =
  | { readonly status: 'idle' | 'saving' | 'saved' }
  | { readonly status: 'failed'; readonly error: CallError; readonly retry: (() => void) | undefined };

/**
 * Returns the settings to show while a mutation changes some of them. A choice is shown at once, and reverted if it
 * cannot be saved.
 *
 * @param stored the settings that the background sent last
 * @param mutation the mutation that changes the settings in its input and returns all of them
 */
export function useSetting<Settings extends object>(
  stored: Settings,
  mutation: ActionState<Partial<Settings>, Settings>,
): { readonly shown: Settings; readonly change: SettingChange } {
  // The settings that were stored when the mutation's result came. While they are, the result is shown. Any other settings
  // are newer than the result, or the subscription sends it next.
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
      const isResultShown = (Object.keys(input) as (keyof Settings)[]).every(
        (key) => shown[key] === output[key],
      );
      return { shown, change: { status: isResultShown ? 'saved' : 'idle' } };
    }
    case 'failed':
      return { shown: stored, change: mutation };
  }
}

interface SettingStatusProps {
  readonly change: SettingChange;
  /** Shown if the change was not saved. */
  readonly failed: string;
  /** Shown if the change may have been saved. */
  readonly inDoubt: string;
}

/** Shows the result of the latest change of a setting. Always rendered, so that screen readers announce its text. */
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
