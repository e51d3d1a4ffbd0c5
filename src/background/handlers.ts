import type { contract, ExtensionInfo } from '../contract/contract.ts';
import type { Theme } from '../contract/preferences.ts';
import type { Progress } from '../contract/spec-gaps.ts';
import type { Handlers } from '../messaging/server/server.ts';
import { openDocument, readDocument } from './document.ts';
import { documents } from './documents.ts';
import type { MessageLog } from './message-log.ts';
import { createStorageHandlers } from './storage-handlers.ts';

export interface HandlerNeeds {
  /** What the browser says of the extension that runs. */
  readonly describeExtension: () => Promise<ExtensionInfo>;
  /** How much of the specification this build knows. */
  readonly progress: Progress;
  readonly messageLog: MessageLog;
  /** Called with the theme whenever it may have changed. */
  readonly setPopupTheme: (theme: Theme) => void;
}

/** What the background does for each procedure of the contract. */
export function createHandlers({
  describeExtension,
  progress,
  messageLog,
  setPopupTheme,
}: HandlerNeeds): Handlers<typeof contract> {
  return {
    'extension.info': describeExtension,

    'questions.count': () => progress,

    'preferences.watch': async function* ({ state }) {
      for await (const stored of state.watch(documents.preferences.key)) {
        const { data } = readDocument(documents.preferences, stored);
        // Every page watches this, so no change is missed while one is open, whichever page made it.
        messageLog.turn(data.recordMessages);
        setPopupTheme(data.theme);
        yield data;
      }
    },

    'preferences.update': async ({ input, state, fail }) => {
      const opened = await openDocument(state, documents.preferences);
      if (opened === undefined) throw fail('readOnly', {});

      const changed = { ...opened.data, ...input };
      opened.write(changed);
      return changed;
    },

    'messages.watch': ({ signal }) => messageLog.watch(signal),

    ...createStorageHandlers(Object.values(documents)),
  };
}
