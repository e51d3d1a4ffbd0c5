import { createClock } from './create-clock.ts';

/** What a page of the bench can be told to measure. */
export interface PageBench {
  /** Calls one after the other and gives the milliseconds that each took. */
  readonly latency: (call: string, load: Load) => Promise<number[]>;
  /** Keeps `inFlight` calls under way and gives the milliseconds that each took of the page's time. */
  readonly throughput: (call: string, load: Load & { readonly inFlight: number }) => Promise<number[]>;
  /** Calls that one sample is the mean of: more than one where the clock is too coarse for one. */
  readonly callsPerSample: number;
}

export interface Load {
  /** Characters of JSON, all of them ASCII, that are sent and come back. */
  readonly bytes: number;
  /** What they are: one text, or records of some members each, as a table has them. A text by default. */
  readonly shape?: 'text' | 'records';
  readonly samples: number;
  /** As the page's own `callsPerSample`, if left out. */
  readonly callsPerSample?: number;
}

/** Calls by name. Each sends what it is given and resolves when the answer is there. */
export type Calls = Readonly<Record<string, (value: string) => Promise<unknown>>>;

declare global {
  // oxlint-disable-next-line no-var -- only `var` declares a property of the global object
  var bench: PageBench;
}

/** A call takes some 500 µs, of which a step of the clock must be a small part. */
const FINE_STEP = 0.02;

export function createPageBench(calls: Calls): PageBench {
  const { now, step } = createClock();
  const callsPerSample = step <= FINE_STEP ? 1 : 16;

  function find(name: string): Calls[string] {
    const call = calls[name];
    if (call === undefined) throw new Error(`There is no call "${name}"`);
    return call;
  }

  return {
    callsPerSample,
    async latency(name, { bytes, shape, samples: count, callsPerSample: perSample = callsPerSample }) {
      const call = find(name);
      // A call hands on what it is given, whatever its shape.
      const text = (shape === 'records' ? createRecords(bytes) : 'x'.repeat(bytes)) as string;
      const samples: number[] = [];
      while (samples.length < count) {
        const start = now();
        for (let done = 0; done < perSample; done += 1) await call(text);
        samples.push((now() - start) / perSample);
      }
      return samples;
    },
    async throughput(name, { bytes, samples: count, callsPerSample: perSample = 1_000, inFlight }) {
      const call = find(name);
      const text = 'x'.repeat(bytes);
      const samples: number[] = [];
      while (samples.length < count) {
        let left = perSample;
        const lane = async (): Promise<void> => {
          while ((left -= 1) >= 0) await call(text);
        };
        const start = now();
        await Promise.all(Array.from({ length: inFlight }, lane));
        samples.push((now() - start) / perSample);
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
