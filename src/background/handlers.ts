import type { contract, ExtensionInfo } from '../contract/contract.ts';
import type { Progress } from '../contract/spec-gaps.ts';
import type { Handlers } from '../messaging/server/background.ts';
import { preferences } from './documents.ts';
import type { MessageLog } from './message-log.ts';
import { storageHandlers } from './storage-handlers.ts';

export interface HandlerNeeds {
  /** Asks the browser about the extension that runs. */
  readonly describeExtension: () => Promise<ExtensionInfo>;
  /** The answered part of the specification in this build. */
  readonly progress: Progress;
  readonly messageLog: MessageLog;
}

/** One handler for each procedure of the contract. */
export function createHandlers({
  describeExtension,
  progress,
  messageLog,
}: HandlerNeeds): Handlers<typeof contract> {
  return {
    'extension.info': describeExtension,
    'questions.count': () => progress,
    'preferences.watch': ({ state }) => state.watch(preferences),
    'preferences.update': ({ input, state }) => state.update(preferences, (old) => ({ ...old, ...input })),
    'messages.watch': ({ signal }) => messageLog.watch(signal),
    ...storageHandlers,
  };
}
