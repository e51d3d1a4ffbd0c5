import { createHandlers } from '../../src/background/create-handlers.ts';
import type { HandlerNeeds } from '../../src/background/create-handlers.ts';
import { documents } from '../../src/background/documents.ts';
import { settleDocuments } from '../../src/background/settle-documents.ts';
import { contract } from '../../src/contract/contract.ts';
import { createMessageLog } from '../../src/background/message-log.ts';
import type { ExtensionInfo } from '../../src/contract/extension-info.ts';
import { createMemoryWorld } from './memory-world.ts';
import type { MemoryWorld } from './memory-world.ts';

/** What the browser of the extension's memory world says. */
export const worldInfo: ExtensionInfo = {
  name: 'Nine Points',
  version: '1.2.3',
  browser: 'Memory 1',
  permissions: ['storage'],
};

/** The extension itself, its real contract and handlers, in a memory world. */
export function createExtensionWorld(
  choosePopup: HandlerNeeds['choosePopup'] = () => {},
): MemoryWorld<typeof contract> {
  return createMemoryWorld({
    contract,
    handlers: () => {
      const messageLog = createMessageLog();
      const needs = { describeExtension: async () => worldInfo, specified: ['purpose'] as const };
      return { handlers: createHandlers({ ...needs, messageLog, choosePopup }), observe: messageLog.observe };
    },
    prepare: (state) => settleDocuments(Object.values(documents), state),
  });
}
