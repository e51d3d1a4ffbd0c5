import type { Api } from './background/features.ts';
import type { Client } from './messaging/client/client.ts';
import { createContentScriptClient, createPageClient } from './platform/browser-client.ts';

export { CallError } from './messaging/wire/errors.ts';

/** Creates the client of a page. */
export const connectPage = (): Client<Api> => createPageClient<Api>();

/** Creates the client of a content script. */
export const connectContentScript = (): Client<Api> => createContentScriptClient<Api>();
