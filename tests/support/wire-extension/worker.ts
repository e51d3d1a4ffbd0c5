import type { IncomingPort } from '../../../src/messaging/wire.ts';
import { onIncomingPort } from '../../../src/platform/port.ts';
import { browserStore } from '../../../src/platform/store.ts';
import { describeCopy } from './values.ts';

/** An order of a page to this worker. */
interface Order {
  readonly order: 'describe' | 'echo' | 'leave' | 'lost' | 'lock' | 'count' | 'write';
  readonly value?: unknown;
}

let lost = 0;
let count = 0;

onIncomingPort((port) => {
  port.onMessage((message) => void obey(port, message as Order));
  port.onDisconnect(() => (lost += 1));
});

async function obey(port: IncomingPort, { order, value }: Order): Promise<void> {
  switch (order) {
    case 'describe':
      port.post(describeCopy(value));
      break;
    case 'echo':
      port.post(value);
      break;
    case 'leave':
      for (const word of ['one', 'two', 'three']) port.post(word);
      port.disconnect();
      // If the port is gone, the message is lost.
      port.post('four');
      break;
    case 'lost':
      port.post(lost);
      break;
    case 'lock':
      await browserStore.lock(async () => {
        port.post('locked');
        // The lock is then held until the worker dies.
        if (value === 'forever') await new Promise(() => {});
      });
      break;
    case 'count':
      count += 1;
      port.post(count);
      break;
    case 'write':
      for (let turn = Number(value); ; turn += 1) {
        const text = String(turn).padEnd(20_000, '.');
        await browserStore.write({ left: text, right: text });
        port.post(turn);
      }
  }
}
