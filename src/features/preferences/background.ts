import * as v from 'valibot';

import type { BackgroundFeature } from '../../background/features.ts';
import { defineDocument } from '../../messaging/state/documents.ts';
import { Preferences } from './contract.ts';

const preferences = defineDocument({
  key: 'preferences',
  schema: v.looseObject(Preferences.entries),
  initial: { theme: 'system' },
});

export const preferencesFeature = {
  documents: [preferences],
  handlers: {
    'preferences.watch': ({ state }) => state.watch(preferences),
    'preferences.update': ({ input, state }) => state.update(preferences, (old) => ({ ...old, ...input })),
  },
} satisfies BackgroundFeature;
