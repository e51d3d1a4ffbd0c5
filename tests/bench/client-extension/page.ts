import { createClient } from '../../../src/messaging/client/client.ts';
import { connectToBackground, createPageClient } from '../../../src/platform/port.ts';
import { createPageBench } from '../page-bench.ts';
import type { BenchApi } from './worker.ts';

declare global {
  /** Opens clients until there are `count`. Each has its own port and a live subscription. */
  // oxlint-disable-next-line no-var -- only `var` declares a property of the global object
  var openClients: (count: number) => Promise<void>;
}

const client = createPageClient<BenchApi>();
const crowd: (typeof client)[] = [];
let turn = 0;

globalThis.bench = createPageBench({
  echo: (text) => client.query('text.echo', text),
  blob: (text) => client.query('blob.echo', text),
  any: (value) => client.query('any.echo', value),
  add: () => client.mutate('counter.add', 1),
  crowd: async (text) => {
    turn = (turn + 1) % crowd.length;
    return crowd[turn]?.query('text.echo', text);
  },
});
globalThis.openClients = async (count) => {
  while (crowd.length < count) {
    const next = createClient<BenchApi>(connectToBackground);
    crowd.push(next);
    await new Promise<void>((resolve) => {
      void follow(next, resolve);
    });
  }
};
document.title = 'ready';

/** Reports each value of a subscription. Never ends. */
async function follow({ subscribe }: typeof client, onValue: () => void): Promise<void> {
  for await (const _ of subscribe('counter.watch')) onValue();
}
