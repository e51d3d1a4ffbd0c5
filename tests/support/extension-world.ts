import manifest from '../../manifest.json' with { type: 'json' };
import { createFeatures } from '../../src/background/features.ts';
import { callers } from '../../src/callers.ts';
import { contract, type ExtensionInfo } from '../../src/contract.ts';
import type { Handlers } from '../../src/messaging/server/background.ts';
import { createMemoryWorld, type MemoryWorld, type MemoryWorldOptions } from './memory-world.ts';

type ContractHandlers = Handlers<typeof contract>;

/** Facts about the extension that the memory world reports. */
export const worldInfo: ExtensionInfo = {
  name: 'World extension',
  id: 'worldextension',
  version: '1.2.3',
  browser: 'Memory 1',
  permissions: manifest.permissions,
  storedBytes: 1_234,
  starts: { count: 2, latest: Date.UTC(2026, 0, 9, 10) },
};

interface ExtensionWorldOptions extends Pick<MemoryWorldOptions<typeof contract>, 'patchStore'> {
  /** Returns handlers that replace the extension's own. */
  readonly replace?: (own: ContractHandlers) => Partial<ContractHandlers>;
}

/** Creates a memory world with the extension's real contract and features. */
export function createExtensionWorld({
  replace = () => ({}),
  ...options
}: ExtensionWorldOptions = {}): MemoryWorld<typeof contract> {
  const { documents } = createFeatures(async () => worldInfo);
  return createMemoryWorld({
    ...options,
    callers,
    contract,
    documents,
    handlers: () => {
      const { handlers, ...features } = createFeatures(async () => worldInfo);
      return { ...features, handlers: { ...handlers, ...replace(handlers) } };
    },
  });
}
