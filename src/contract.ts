import * as v from 'valibot';

import { callers } from './callers.ts';
import { messagesContract } from './features/messages/contract.ts';
import { preferencesContract } from './features/preferences/contract.ts';
import { storedDataContract } from './features/stored-data/contract.ts';
import { defineContract, query } from './messaging/contract.ts';

/** Facts about the installed extension and its browser. */
const ExtensionInfo = v.strictObject({
  name: v.string(),
  id: v.string(),
  version: v.string(),
  /** Name and version, for example `Firefox 142.0`. */
  browser: v.string(),
  /** API permissions and host patterns that are granted now. */
  permissions: v.array(v.string()),
  /** Size of all stored data. Missing if the browser cannot report it. */
  storedBytes: v.exactOptional(v.number()),
  /** Starts of the background since the extension was loaded, and the time of the last one in ms since 1970. */
  starts: v.strictObject({ count: v.number(), latest: v.number() }),
});

export type ExtensionInfo = v.InferOutput<typeof ExtensionInfo>;

const extensionContract = {
  /** Does not need the stored state, so it is answered even if that cannot be read. */
  'extension.info': query({ callers: ['popup', 'options'], output: ExtensionInfo }),
};

/** All procedures of the background, one line for each feature. Pages import only its type. */
export const contract = defineContract(
  callers,
  extensionContract,
  preferencesContract,
  storedDataContract,
  messagesContract,
);
