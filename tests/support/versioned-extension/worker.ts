import { migrateDocuments, openDocument, readDocument } from '../../../src/background/document.ts';
import type { Document } from '../../../src/background/document.ts';
import type { Json } from '../../../src/messaging/json.ts';
import { identifyCaller } from '../../../src/messaging/server/sender.ts';
import { createServer } from '../../../src/messaging/server/server.ts';
import { extensionIdentity } from '../../../src/platform/extension.ts';
import { onIncomingPort } from '../../../src/platform/port.ts';
import { browserStore } from '../../../src/platform/store.ts';
import { specimen, specimenOfOldCode, unstorableValues, versionedContract } from './specimen.ts';

declare global {
  /** The version of the specimen that the build of this worker knows, see `buildCoreExtension`. */
  const SPECIMEN_VERSION: 2 | 3;
}

if (SPECIMEN_VERSION === 2) serveSpecimen(specimenOfOldCode);
else serveSpecimen(specimen);

/** Serves one version of the specimen, as the background does its own documents. */
function serveSpecimen(served: Document<{ lines: string[] }>): void {
  const identity = extensionIdentity();
  const handlers = {
    'specimen.read': async ({ state }) => {
      const { status, data } = readDocument(served, await state.get(served.key));
      return { status, data: data as unknown as Json };
    },
    'specimen.append': async ({ input, state }) => {
      const opened = await openDocument(state, served);
      opened?.write({ ...opened.data, lines: [...opened.data.lines, input] });
      return opened !== undefined;
    },
    'specimen.spoil': ({ input, state }) => {
      try {
        state.set('spoilt', unstorableValues()[input] as Json);
        return 'staged';
      } catch (error) {
        return String(error);
      }
    },
  } satisfies Parameters<typeof createServer<typeof versionedContract>>[1];

  onIncomingPort(
    createServer(versionedContract, handlers, {
      identify: (sender) => identifyCaller(sender, { ...identity, pages: { options: 'options.html' } }),
      store: browserStore,
      prepare: (state) => migrateDocuments([served], state),
      log: (incident, error) => console.warn(incident, error),
    }),
  );
}
