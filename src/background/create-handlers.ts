import type { contract } from '../contract/contract.ts';
import type { ExtensionInfo } from '../contract/extension-info.ts';
import type { Theme } from '../contract/preferences.ts';
import type { GapId } from '../contract/spec-gaps.ts';
import type { Handlers } from '../messaging/server/server.ts';
import { documents } from './documents.ts';
import type { MessageLog } from './message-log.ts';
import { openDocument } from './open-document.ts';
import { readDocument } from './read-document.ts';
import { createStorageHandlers } from './storage-handlers.ts';

export interface HandlerNeeds {
  /** What the browser says of the extension that runs. */
  readonly describeExtension: () => Promise<ExtensionInfo>;
  /** The points of the specification that this build knows as specified. */
  readonly specified: readonly GapId[];
  readonly messageLog: MessageLog;
  /** Told of the theme, whenever somebody is there and it may have changed. */
  readonly choosePopup: (theme: Theme) => void;
}

/** What the worker does for each procedure of the contract. */
export function createHandlers({
  describeExtension,
  specified,
  messageLog,
  choosePopup,
}: HandlerNeeds): Handlers<typeof contract> {
  return {
    'extension.info': describeExtension,

    'points.specified': () => [...specified],

    'preferences.watch': async function* ({ state }) {
      for await (const stored of state.watch(documents.preferences.key)) {
        const { data } = readDocument(documents.preferences, stored);
        // Every page watches this: no change of it, by whatever way it comes, is missed while somebody is there.
        messageLog.turn(data.recordMessages);
        choosePopup(data.theme);
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
