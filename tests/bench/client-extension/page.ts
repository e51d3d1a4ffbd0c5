import { createClient } from '../../../src/messaging/client/client.ts';
import { connectToWorker } from '../../../src/platform/port.ts';
import { createPageBench } from '../page-bench.ts';
import type { BenchContract } from './worker.ts';

const client = createClient<BenchContract>(connectToWorker);

globalThis.bench = createPageBench({
  echo: (text) => client.query('text.echo', text),
  blob: (text) => client.query('blob.echo', text),
  any: (value) => client.query('any.echo', value),
  add: () => client.mutate('counter.add', 1),
});
document.title = 'ready';
