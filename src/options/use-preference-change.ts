import { useState } from 'react';

import type { Preferences, PreferencesPatch } from '../contract/preferences.ts';
import type { CallError } from '../messaging/errors.ts';
import { useMutation } from '../ui/use-mutation.ts';

export type PreferenceChangeState =
  | { readonly status: 'idle' | 'saving' | 'saved' }
  | { readonly status: 'failed'; readonly error: CallError; readonly retry: () => void };

interface PreferenceChange {
  /** The preferences to show as chosen. */
  readonly shown: Preferences;
  readonly change: PreferenceChangeState;
  readonly choose: (patch: PreferencesPatch) => void;
}

/**
 * Changes preferences. What is given is what the worker has; a choice stands in for it from the press to its next word.
 */
export function usePreferenceChange(preferences: Preferences): PreferenceChange {
  const [mutation, update] = useMutation('preferences.update');
  // What the worker had said before the change was done. What it says in the same instant as that counts as later: it
  // may be, and if it is not, its word on this change is still to come.
  const [known, setKnown] = useState(preferences);
  if (mutation.status !== 'done' && known !== preferences) setKnown(preferences);

  function choose(patch: PreferencesPatch): void {
    void update(patch);
  }

  switch (mutation.status) {
    case 'idle':
      return { shown: preferences, change: { status: 'idle' }, choose };
    case 'pending':
      return { shown: { ...preferences, ...mutation.input }, change: { status: 'saving' }, choose };
    case 'done': {
      // The stream's word on this change may be on its way still.
      const shown = preferences === known ? mutation.output : preferences;
      return { shown, change: { status: 'saved' }, choose };
    }
    case 'failed':
      return { shown: preferences, change: mutation, choose };
  }
}
