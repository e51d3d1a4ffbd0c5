import { connectToWorker } from '../../../src/platform/port.ts';
import { browserStore } from '../../../src/platform/store.ts';
import { awkwardValues } from './values.ts';

declare global {
  /** A page of the wire extension: the adapters of the core, for tests to use without the core. */
  // oxlint-disable-next-line no-var -- only `var` declares a property of the global object
  var wires: {
    readonly open: typeof open;
    readonly awkwardValues: typeof awkwardValues;
    readonly store: typeof browserStore;
    /** Wires that one call of a test leaves for the next. */
    readonly kept: ReturnType<typeof open>[];
  };
}

globalThis.wires = { open, awkwardValues, store: browserStore, kept: [] };

/** Opens a port, which notes what it hears. `ask` gives what is heard next. */
function open() {
  const port = connectToWorker();
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
