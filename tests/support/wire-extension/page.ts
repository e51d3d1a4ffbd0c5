import { connectToBackground } from '../../../src/platform/port.ts';
import { browserStore } from '../../../src/platform/store.ts';
import { indexedDbStore } from '../../../src/platform/indexed-db-store.ts';
import { runStoreCase } from '../store-suite.ts';
import { awkwardValues } from './values.ts';

declare global {
  /** The adapters of the core. Tests use them without the core. */
  // oxlint-disable-next-line no-var -- only `var` declares a property of the global object
  var wires: {
    readonly open: typeof open;
    readonly awkwardValues: typeof awkwardValues;
    readonly store: typeof browserStore;
    /** Runs a case of the suite for stores. */
    readonly runStoreCase: (store: 'storage.local' | 'IndexedDB', name: string) => Promise<unknown>;
    /** Wires that a test keeps from one call into the page to the next. */
    readonly kept: ReturnType<typeof open>[];
  };
}

globalThis.wires = { open, awkwardValues, store: browserStore, runStoreCase: runCase, kept: [] };

function runCase(name: 'storage.local' | 'IndexedDB', storeCase: string): Promise<unknown> {
  // Chromium drops functions and refuses a value above its quota. Firefox refuses functions and has no quota.
  const isChromium = location.protocol === 'chrome-extension:';
  const refused = name === 'storage.local' && isChromium ? 'x'.repeat(11_000_000) : () => {};
  return runStoreCase(storeCase, name === 'IndexedDB' ? indexedDbStore : browserStore, refused);
}

/** Opens a port, and records the messages that it receives. `ask` resolves with the next message. */
function open() {
  const port = connectToBackground();
  const heard: unknown[] = [];
  let isLost = false;
  let tell = (_message: unknown): void => {};
  port.onMessage((message) => {
    heard.push(message);
    tell(message);
  });
  port.onDisconnect(() => (isLost = true));
  const order = (name: string, value?: unknown): void => void port.post({ order: name, value });
  const ask = (name: string, value?: unknown): Promise<unknown> =>
    new Promise((resolve) => {
      tell = resolve;
      order(name, value);
    });
  return {
    order,
    ask,
    heard: heard as readonly unknown[],
    isLost: () => isLost,
    disconnect: port.disconnect,
  };
}
