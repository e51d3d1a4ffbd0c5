import * as v from 'valibot';

import { callers } from './callers.ts';
import { messagesContract } from './features/messages/contract.ts';
import { preferencesContract } from './features/preferences/contract.ts';
import { storedDataContract } from './features/stored-data/contract.ts';
import { defineContract, query } from './messaging/contract.ts';

/** Facts about the installed extension and the browser around it. */
const ExtensionInfo = v.strictObject({
  name: v.string(),
  /** Given by the browser. */
  id: v.string(),
  version: v.string(),
  /** Name and version, for example `Firefox 142.0`. */
  browser: v.string(),
  /** API permissions and host patterns that are granted now. */
  permissions: v.array(v.string()),
  /** Missing if the browser does not tell. */
  storedBytes: v.exactOptional(v.number()),
  /** Number of starts of the background since the browser started, and the time of the latest in ms since 1970. */
  starts: v.strictObject({ count: v.number(), latest: v.number() }),
});

export type ExtensionInfo = v.InferOutput<typeof ExtensionInfo>;

const extensionContract = {
  /** Answered whenever the background runs. */
  'extension.info': query({ callers: ['popup', 'options'], output: ExtensionInfo }),
};

/** Every call that the background answers, one line for each feature. Pages import its type alone. */
export const contract = defineContract(
  callers,
  extensionContract,
  preferencesContract,
  storedDataContract,
  messagesContract,
);
