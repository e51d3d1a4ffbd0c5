import { type ReactNode, useState } from 'react';

import type { CallError } from '../messaging/wire/errors.ts';
import { CallResult } from './call-result.tsx';
import type { ActionState, CallState } from './calls.ts';
import { useTranslate } from './extension.ts';
import { CallFailure } from './failure.tsx';

interface SettingProps<Value, Input> {
  /** The stored value. */
  readonly state: CallState<Value>;
  /** The mutation that changes it, as `useMutation` returns it. Its input is a value, or some members of one. */
  readonly change: readonly [mutation: ActionState<Input, unknown>, run: (input: Input) => unknown];
  /** Returns the control, for the value to show and a function that changes it. */
  readonly children: (value: Value, change: (input: Input) => void) => ReactNode;
}

/** Shows a setting that a person can change, and whether the latest change was saved. */
export function Setting<Value, Input>({ state, change, children }: SettingProps<Value, Input>) {
  return (
    <CallResult state={state}>
      {(stored) => (
        <StoredSetting stored={stored} change={change}>
          {children}
        </StoredSetting>
      )}
    </CallResult>
  );
}

interface StoredSettingProps<Value, Input> extends Pick<SettingProps<Value, Input>, 'change' | 'children'> {
  readonly stored: Value;
}

function StoredSetting<Value, Input>({
  stored,
  change: [mutation, run],
  children,
}: StoredSettingProps<Value, Input>) {
  const t = useTranslate();
  const { shown, change } = useSetting(stored, mutation);
  const isInDoubt = change.status === 'failed' && change.error.delivery === 'unknown';
  function describeChange(): string {
    if (change.status === 'saving') return t('setting_saving');
    return change.status === 'saved' ? t('setting_saved') : '';
  }

  return (
    <>
      {children(shown, (input) => void run(input))}
      {/* Always rendered, so that screen readers announce its text. */}
      <p role="status" className="status">
        {describeChange()}
      </p>
      <CallFailure state={change} what={t(isInDoubt ? 'setting_maybe_saved' : 'setting_not_saved')} />
    </>
  );
}

/** State of the latest change of a setting. */
type SettingChange =
  | { readonly status: 'idle' | 'saving' | 'saved' }
  | { readonly status: 'failed'; readonly error: CallError; readonly retry: (() => void) | undefined };

/** The latest choice of a person, and what has happened since. */
interface Choice<Value, Input> {
  /** The mutation that saves it, until it has settled. */
  readonly saving: ActionState<Input, unknown> | undefined;
  /** Its input, with that of earlier choices which were still being saved, so that they stay shown too. */
  readonly input: Input | undefined;
  /** The stored value when it was made. */
  readonly stored: Value;
  /** The background has sent a value since. It is the choice or newer, even if it arrives before the answer. */
  readonly isReplaced: boolean;
}

/** Returns the choice after what this render shows: a new choice, the end of its mutation, or another stored value. */
function follow<Value, Input>(
  before: Choice<Value, Input>,
  stored: Value,
  mutation: ActionState<Input, unknown>,
): Choice<Value, Input> {
  if (mutation.status === 'pending' && mutation !== before.saving) {
    const input = before.saving === undefined ? mutation.input : withInput(before.input, mutation.input);
    return { saving: mutation, input, stored, isReplaced: false };
  }
  if (stored !== before.stored && !before.isReplaced) return { ...before, isReplaced: true };
  if (mutation.status !== 'pending' && before.saving !== undefined) return { ...before, saving: undefined };
  return before;
}

/**
 * Returns the value to show while a mutation changes it. A choice is shown at once, and reverted if it cannot be saved.
 *
 * @param stored the value that the background sent last
 */
export function useSetting<Value, Input>(
  stored: Value,
  mutation: ActionState<Input, unknown>,
): { readonly shown: Value; readonly change: SettingChange } {
  const [choice, setChoice] = useState<Choice<Value, Input>>({
    saving: mutation.status === 'pending' ? mutation : undefined,
    input: mutation.status === 'idle' ? undefined : mutation.input,
    stored,
    isReplaced: false,
  });
  const latest = follow(choice, stored, mutation);
  // React renders again at once.
  if (latest !== choice) setChoice(latest);
  const { input, isReplaced } = latest;

  switch (mutation.status) {
    case 'idle':
      return { shown: stored, change: { status: 'idle' } };
    case 'pending':
      return { shown: withInput(stored, input), change: { status: 'saving' } };
    case 'done': {
      const shown = isReplaced ? stored : withInput(stored, input);
      const isChoiceShown = JSON.stringify(withInput(shown, input)) === JSON.stringify(shown);
      return { shown, change: { status: isChoiceShown ? 'saved' : 'idle' } };
    }
    case 'failed':
      return { shown: stored, change: mutation };
  }
}

/** Returns a value after a change, whose input is the new value or some of its members. */
function withInput<Value>(value: Value, input: unknown): Value {
  const isMerged = typeof input === 'object' && input !== null && !Array.isArray(input);
  return (isMerged ? { ...value, ...input } : input) as Value;
}
