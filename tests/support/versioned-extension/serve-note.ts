import { openDocument, readDocument, migrateDocuments } from '../../../src/background/document.ts';
import type { Document } from '../../../src/background/document.ts';
import { identifyCaller } from '../../../src/messaging/server/sender.ts';
import type { Json } from '../../../src/messaging/json.ts';
import { createServer } from '../../../src/messaging/server/server.ts';
import { browserStore } from '../../../src/platform/store.ts';
import { extensionIdentity } from '../../../src/platform/extension.ts';
import { onIncomingPort } from '../../../src/platform/port.ts';
import { unstorableValues } from '../unstorable-values.ts';
import { versionedContract } from './contract.ts';

/** Serves one version of the note, as the background does its own documents. */
export function serveNote(note: Document<{ lines: string[] }>): void {
  const identity = extensionIdentity();
  const handlers = {
    'note.read': async ({ state }) => {
      const { status, data } = readDocument(note, await state.get(note.key));
      return { status, data: data as unknown as Json };
    },
    'note.append': async ({ input, state }) => {
      const opened = await openDocument(state, note);
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
      prepare: (state) => migrateDocuments([note], state),
      log: (incident, error) => console.warn(incident, error),
    }),
  );
}
