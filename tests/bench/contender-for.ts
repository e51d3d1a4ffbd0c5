import type { BenchPage } from './bench-browser.ts';
import type { Load } from './page/page-bench.ts';
import type { Contender } from './run-rounds.ts';

/** Makes the calls of each round in the page, one after the other or, with `inFlight`, so many at once. */
export function contenderFor(
  name: string,
  page: BenchPage,
  call: string,
  load: Load & { readonly inFlight?: number },
): Contender {
  const { inFlight } = load;
  return {
    name,
    run: () =>
      inFlight === undefined
        ? page.evaluate((...[named, sent]) => bench.latency(named, sent), call, load)
        : page.evaluate((...[named, sent]) => bench.throughput(named, sent), call, { ...load, inFlight }),
  };
}
