import * as v from 'valibot';

import { migrateDocuments, openDocument, readDocument } from '../../../src/background/document.ts';
import type { Document } from '../../../src/background/document.ts';
import { defineContract, mutation, query } from '../../../src/messaging/contract.ts';
import type { Json } from '../../../src/messaging/json.ts';
import { identifyCaller } from '../../../src/messaging/server/sender.ts';
import { createServer } from '../../../src/messaging/server/server.ts';
import type { Handlers } from '../../../src/messaging/server/server.ts';
import { extensionIdentity } from '../../../src/platform/extension.ts';
import { onIncomingPort } from '../../../src/platform/port.ts';
import { browserStore } from '../../../src/platform/store.ts';
import { specimen, specimenOfOldCode } from './specimen.ts';

declare global {
  /** The version of the specimen that the build of this worker knows, see tests/browser/versions.test.ts. */
  const SPECIMEN_VERSION: 2 | 3;
}

/** One document, whatever the version of the code makes of it. */
export const versionedContract = defineContract({
  'specimen.read': query({ callers: ['options'], output: v.custom<Json>(() => true) }),
  /** Adds a line; answers whether it could. */
  'specimen.append': mutation({ callers: ['options'], input: v.string(), output: v.boolean() }),
});

const served: Document<{ lines: string[] }> = SPECIMEN_VERSION === 2 ? specimenOfOldCode : specimen;

const handlers: Handlers<typeof versionedContract> = {
  'specimen.read': async ({ state }) => {
    const { status, data } = readDocument(served, await state.get(served.key));
    return { status, data: data as unknown as Json };
  },
  'specimen.append': async ({ input, state }) => {
    const opened = await openDocument(state, served);
    opened?.write({ ...opened.data, lines: [...opened.data.lines, input] });
    return opened !== undefined;
  },
};

const { id, origin } = extensionIdentity();

onIncomingPort(
  createServer(versionedContract, handlers, {
    identify: (sender) => identifyCaller(sender, { id, origin, pages: { options: 'options.html' } }),
    store: browserStore,
    prepare: (state) => migrateDocuments([served], state),
    log: (incident, error) => console.warn(incident, error),
  }),
);
