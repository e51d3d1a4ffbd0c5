import { migrateDocuments, openDocument, readDocument } from '../../../src/background/document.ts';
import type { Document } from '../../../src/background/document.ts';
import type { Json } from '../../../src/messaging/json.ts';
import { identifyCaller } from '../../../src/messaging/server/sender.ts';
import { createServer } from '../../../src/messaging/server/server.ts';
import { extensionIdentity } from '../../../src/platform/extension.ts';
import { onIncomingPort } from '../../../src/platform/port.ts';
import { browserStore } from '../../../src/platform/store.ts';
import { note, noteOfOldCode, unstorableValues, versionedContract } from './note.ts';

declare global {
  /** The version of the note that the build of this worker knows, see `buildCoreExtension`. */
  const NOTE_VERSION: 2 | 3;
}

if (NOTE_VERSION === 2) serveNote(noteOfOldCode);
else serveNote(note);

/** Serves one version of the note, as the background does its own documents. */
function serveNote(served: Document<{ lines: string[] }>): void {
  const identity = extensionIdentity();
  const handlers = {
    'note.read': async ({ state }) => {
      const { status, data } = readDocument(served, await state.get(served.key));
      return { status, data: data as unknown as Json };
    },
    'note.append': async ({ input, state }) => {
      const opened = await openDocument(state, served);
      opened?.write({ ...opened.data, lines: [...opened.data.lines, input] });
      return opened !== undefined;
    },
    'note.spoil': ({ input, state }) => {
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
