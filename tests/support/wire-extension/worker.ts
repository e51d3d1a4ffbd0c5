import type { IncomingPort } from '../../../src/messaging/wire/frames.ts';
import { onIncomingPort } from '../../../src/platform/port.ts';
import { describeCopy } from './values.ts';

let lost = 0;
let count = 0;

/** Actions of this worker, by the order of a page that starts them. */
const orders: Readonly<Record<string, (port: IncomingPort, value: unknown) => void>> = {
  describe: (port, value) => void port.post(describeCopy(value)),
  echo: (port, value) => void port.post(value),
  leave: (port) => {
    for (const word of ['one', 'two', 'three']) port.post(word);
    port.disconnect();
    // The port is gone, so this message is lost.
    port.post('four');
  },
  lost: (port) => void port.post(lost),
  count: (port) => void port.post((count += 1)),
};

onIncomingPort((port) => {
  port.onMessage((message) => {
    const { order, value } = message as { readonly order: string; readonly value?: unknown };
    orders[order]?.(port, value);
  });
  port.onDisconnect(() => (lost += 1));
});
