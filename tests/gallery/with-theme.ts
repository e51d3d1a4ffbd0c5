import type { Theme } from '../../src/contract/preferences.ts';
import { CallError } from '../../src/messaging/errors.ts';
import type { FixedWorker } from './fixed-worker.ts';

/** The worker with a theme in its preferences, if it answers with any. */
export function withTheme(worker: FixedWorker, theme: Theme): FixedWorker {
  const preferences = worker.answers['preferences.watch'];
  if (preferences === undefined || preferences instanceof CallError) return worker;
  return { ...worker, answers: { ...worker.answers, 'preferences.watch': { ...preferences, theme } } };
}
