import { translateWith } from '../../scripts/plugins/translate-with.ts';
import { documents, preferences } from '../../src/background/documents.ts';
import { createHandlers } from '../../src/background/handlers.ts';
import { createMessageLog } from '../../src/background/message-log.ts';
import { contract, type ExtensionInfo } from '../../src/contract/contract.ts';
import { callers } from '../../src/contract/pages.ts';
import type { Handlers } from '../../src/messaging/server/background.ts';
import type { Theme } from '../../src/contract/preferences.ts';
import messages from '../../src/static/_locales/en/messages.json' with { type: 'json' };
import { createMemoryWorld, type MemoryWorld, type MemoryWorldOptions } from './memory-world.ts';

type ContractHandlers = Handlers<typeof contract>;

/** What the browser of the extension's memory world says. */
export const worldInfo: ExtensionInfo = {
  name: 'Nine Points',
  id: 'worldextension',
  version: '1.2.3',
  browser: 'Memory 1',
  permissions: ['storage'],
  storedBytes: 1_234,
  starts: { count: 2, latest: Date.UTC(2026, 0, 9, 10) },
};

interface ExtensionWorldOptions extends Pick<MemoryWorldOptions<typeof contract>, 'patchStore'> {
  readonly setPopupTheme?: (theme: Theme) => void;
  /** Returns handlers that replace the extension's own. */
  readonly replace?: (own: ContractHandlers) => Partial<ContractHandlers>;
}

/** The extension itself, its real contract and handlers, in a memory world. */
export function createExtensionWorld({
  setPopupTheme = () => {},
  replace = () => ({}),
  ...options
}: ExtensionWorldOptions = {}): MemoryWorld<typeof contract> {
  return createMemoryWorld({
    ...options,
    callers,
    contract,
    documents,
    handlers: () => {
      const messageLog = createMessageLog();
      const needs = { describeExtension: async () => worldInfo, progress: { answered: 1, total: 9 } };
      const own = createHandlers({ ...needs, messageLog });
      return {
        handlers: { ...own, ...replace(own) },
        observe: messageLog.observe,
        start: (background) => {
          background.watch(preferences, ({ recordMessages }) => messageLog.turn(recordMessages));
          background.watch(preferences, ({ theme }) => setPopupTheme(theme));
        },
      };
    },
  });
}

/** Translates as a browser in English does. */
export const english = translateWith(messages);
