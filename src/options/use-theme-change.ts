import { useState } from 'react';

import type { Preferences, Theme } from '../contract/preferences.ts';
import type { CallError } from '../messaging/call-error.ts';
import { useMutation } from '../ui/use-mutation.ts';

export type ThemeChangeState =
  | { readonly status: 'idle' | 'saving' | 'saved' }
  | { readonly status: 'failed'; readonly error: CallError; readonly retry: () => void };

interface ThemeChange {
  /** The theme to show as chosen. */
  readonly theme: Theme;
  readonly change: ThemeChangeState;
  readonly choose: (theme: Theme) => void;
}

/** Changes the theme. `preferences` is what the worker has; a choice stands in for it from the press to its next word. */
export function useThemeChange(preferences: Preferences): ThemeChange {
  const [mutation, update] = useMutation('preferences.update');
  // What the worker had said when the change last came a step further; anything else it says came later.
  const [known, setKnown] = useState({ mutation, preferences });
  if (known.mutation !== mutation) setKnown({ mutation, preferences });

  function choose(theme: Theme): void {
    void update({ theme });
  }

  switch (mutation.status) {
    case 'idle':
      return { theme: preferences.theme, change: { status: 'idle' }, choose };
    case 'pending':
      return { theme: mutation.input.theme ?? preferences.theme, change: { status: 'saving' }, choose };
    case 'done': {
      // The stream's word on this change may be on its way still.
      const latest = preferences === known.preferences ? mutation.output : preferences;
      return { theme: latest.theme, change: { status: 'saved' }, choose };
    }
    case 'failed': {
      const { input, error } = mutation;
      const retry = (): void => choose(input.theme ?? preferences.theme);
      return { theme: preferences.theme, change: { status: 'failed', error, retry }, choose };
    }
  }
}
