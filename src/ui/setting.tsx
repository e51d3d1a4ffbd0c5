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

/**
 * Returns the value to show while a mutation changes it. A choice is shown at once, and reverted if it cannot be saved.
 *
 * @param stored the value that the background sent last
 */
export function useSetting<Value, Input>(
  stored: Value,
  mutation: ActionState<Input, unknown>,
): { readonly shown: Value; readonly change: SettingChange } {
  // The value that was stored when the latest change began. The choice is shown until the subscription sends another value,
  // even if that arrives before the answer, because it is the choice or newer. The input includes that of earlier changes which
  // were still being saved, so that they stay shown too.
  const isSaving = mutation.status === 'pending';
  const [before, setBefore] = useState({
    mutation,
    isSaving,
    input: inputOf(mutation),
    value: stored,
    isReplaced: false,
  });
  let latest = before;
  if (isSaving && mutation !== before.mutation) {
    const input = before.isSaving ? withInput(before.input, mutation.input) : mutation.input;
    latest = { mutation, isSaving, input, value: stored, isReplaced: false };
  } else {
    const isReplaced = before.isReplaced || before.value !== stored;
    if (isSaving !== before.isSaving || isReplaced !== before.isReplaced) {
      latest = { ...before, isSaving, isReplaced };
    }
  }
  if (latest !== before) setBefore(latest);

  switch (mutation.status) {
    case 'idle':
      return { shown: stored, change: { status: 'idle' } };
    case 'pending':
      return { shown: withInput(stored, latest.input), change: { status: 'saving' } };
    case 'done': {
      const shown = latest.isReplaced ? stored : withInput(stored, latest.input);
      const isChoiceShown = JSON.stringify(withInput(shown, latest.input)) === JSON.stringify(shown);
      return { shown, change: { status: isChoiceShown ? 'saved' : 'idle' } };
    }
    case 'failed':
      return { shown: stored, change: mutation };
  }
}

const inputOf = <Input,>(mutation: ActionState<Input, unknown>): Input | undefined =>
  mutation.status === 'idle' ? undefined : mutation.input;

/** Returns a value after a change, whose input is the new value or some of its members. */
function withInput<Value>(value: Value, input: unknown): Value {
  const isMerged = typeof input === 'object' && input !== null && !Array.isArray(input);
  return (isMerged ? { ...value, ...input } : input) as Value;
}
