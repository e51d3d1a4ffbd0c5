import { connectToBackground } from '../../../src/platform/port.ts';
import { awkwardValues } from './values.ts';

declare global {
  /** The adapter of ports. Tests use it without the core. */
  // oxlint-disable-next-line no-var -- only `var` declares a property of the global object
  var wires: {
    readonly open: typeof connect;
    readonly awkwardValues: typeof awkwardValues;
    /** All wires that were opened in this page. */
    readonly all: ReturnType<typeof connect>[];
  };
}

globalThis.wires = {
  open: () => {
    const wire = connect();
    wires.all.push(wire);
    return wire;
  },
  awkwardValues,
  all: [],
};

/** Opens a port, and records the messages that it receives. `ask` resolves with the next message. */
function connect() {
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
  return { order, ask, heard, isLost: () => isLost, disconnect: port.disconnect };
}
