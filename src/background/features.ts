import { aboutFeature } from '../features/about/background.ts';
import { messagesFeature } from '../features/messages/background.ts';
import { preferencesFeature } from '../features/preferences/background.ts';
import { storedDataFeature } from '../features/stored-data/background.ts';
import type { ApiOf } from '../messaging/feature.ts';

export const features = [
  // The features that run in the background, one line for each.
  aboutFeature,
  preferencesFeature,
  storedDataFeature,
  messagesFeature,
] as const;

/** All procedures of the background. Pages import only this type. */
export type Api = ApiOf<typeof features>;
