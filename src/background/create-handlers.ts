import type { contract } from '../contract/contract.ts';
import type { ExtensionInfo } from '../contract/extension-info.ts';
import { defaultPreferences } from '../contract/preferences.ts';
import type { GapId } from '../contract/spec-gaps.ts';
import type { Handlers } from '../messaging/handlers.ts';
import { PREFERENCES, readPreferences, writePreferences } from './preferences-document.ts';

export interface HandlerNeeds {
  /** What the browser says of the extension that runs. */
  readonly describeExtension: () => Promise<Omit<ExtensionInfo, 'specified'>>;
  /** The points of the specification that this build knows as specified. */
  readonly specified: readonly GapId[];
}

/** What the worker does for each procedure of the contract. */
export function createHandlers({ describeExtension, specified }: HandlerNeeds): Handlers<typeof contract> {
  return {
    'extension.info': async () => ({ ...(await describeExtension()), specified: [...specified] }),

    'preferences.watch': async function* ({ state }) {
      for await (const stored of state.watch(PREFERENCES)) {
        yield readPreferences(stored) ?? defaultPreferences;
      }
    },

    'preferences.update': async ({ input, state, fail }) => {
      const current = readPreferences(await state.get(PREFERENCES));
      if (current === undefined) throw fail('unreadable', {});

      const preferences = { ...current, ...input };
      state.set(PREFERENCES, writePreferences(preferences));
      return preferences;
    },
  };
}
