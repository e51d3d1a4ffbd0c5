/** Measures calls in a page of the benchmark. */
export interface PageBench {
  /** Measures a call `samples` times. Returns the duration of each sample in ms. */
  readonly measure: (call: string, load: Load) => Promise<number[]>;
}

export interface Load {
  /** Number of characters of JSON, all ASCII, that are sent and returned. */
  readonly bytes: number;
  /** One text, which is the default, or many small records, as in a table. */
  readonly shape?: 'text' | 'records';
  readonly samples: number;
  /** Number of calls of which a sample is the mean, 1 by default. */
  readonly callsPerSample?: number;
  /** Number of calls at the same time, 1 by default. */
  readonly inFlight?: number;
}

/** Calls by name. Each sends a value and resolves with the answer. */
export type Calls = Readonly<Record<string, (value: string) => Promise<unknown>>>;

declare global {
  // oxlint-disable-next-line no-var -- only `var` declares a property of the global object
  var bench: PageBench;
}

/** Chromium's stopwatch for benchmarks. It exists only with `--enable-benchmarking-api`. */
interface Stopwatch {
  start(): void;
  /** Microseconds since `start`. */
  microseconds(): number;
}

export function createPageBench(calls: Calls): PageBench {
  const { Interval } = chrome as unknown as { readonly Interval: new () => Stopwatch };
  const stopwatch = new Interval();
  stopwatch.start();
  const now = (): number => stopwatch.microseconds() / 1_000;

  return {
    async measure(name, { bytes, shape, samples: count, callsPerSample = 1, inFlight = 1 }) {
      const call = calls[name];
      if (call === undefined) throw new Error(`There is no call "${name}"`);
      // A call passes on any value, although its type is a text.
      const value = (shape === 'records' ? createRecords(bytes) : 'x'.repeat(bytes)) as string;
      const samples: number[] = [];
      while (samples.length < count) {
        let left = callsPerSample;
        const lane = async (): Promise<void> => {
          while ((left -= 1) >= 0) await call(value);
        };
        const start = now();
        await Promise.all(Array.from({ length: inFlight }, lane));
        samples.push((now() - start) / callsPerSample);
      }
      return samples;
    },
  };
}

/** Creates an object with rows. Its JSON text has about `bytes` characters. */
function createRecords(bytes: number): unknown {
  const row = (id: number): object => ({
    id,
    name: `name ${id}`,
    isOpen: id % 2 === 0,
    tags: ['one', 'two'],
    at: 1.5,
  });
  const size = JSON.stringify(row(10_000)).length + 1;
  return { id: 1, rows: Array.from({ length: Math.max(1, Math.round(bytes / size)) }, (_, id) => row(id)) };
}
