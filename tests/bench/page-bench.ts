/** Calls that a page of the benchmark can measure. */
export interface PageBench {
  /** Makes `samples` measurements of a call, and gives the milliseconds that each took. */
  readonly measure: (call: string, load: Load) => Promise<number[]>;
}

export interface Load {
  /** Characters of JSON, all of them ASCII, that are sent and come back. */
  readonly bytes: number;
  /** Their kind: one text, or records of some members each, as a table has them. A text by default. */
  readonly shape?: 'text' | 'records';
  readonly samples: number;
  /** Calls that one sample is the mean of, 1 by default. */
  readonly callsPerSample?: number;
  /** Calls that are under way at any time; by default one after the other. */
  readonly inFlight?: number;
}

/** Calls by name. Each sends what it is given and resolves with the answer. */
export type Calls = Readonly<Record<string, (value: string) => Promise<unknown>>>;

declare global {
  // oxlint-disable-next-line no-var -- only `var` declares a property of the global object
  var bench: PageBench;
}

/** Chromium's stopwatch for benchmarks, there under `--enable-benchmarking-api`. */
interface Stopwatch {
  start(): void;
  /** Since `start`. */
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
      // A call hands on what it is given, whatever its shape.
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

/** An object with so many rows that its JSON text has about `bytes` characters. */
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
