import { store } from '../../support/core-extension/store.ts';
import { localStore } from '../../../src/platform/local-store.ts';
import { type Scenario, scenarios } from '../scenarios.ts';

/** A scenario as the process that controls the browser sees it. */
export interface Row extends Omit<Scenario, Part | 'limits' | 'before'> {
  readonly limit: number | null;
  readonly parts: readonly Part[];
}

export type Part = 'ours' | 'byHand' | 'cached' | 'baseline';

declare global {
  /** The scenarios that this page can measure. */
  // oxlint-disable-next-line no-var -- only `var` declares a property of the global object
  var bench: {
    readonly rows: readonly Row[];
    readonly prepare: (row: number) => Promise<unknown>;
    /** Runs one part of a row. Returns the ms of a call. */
    readonly sample: (row: number, part: Part, calls?: number) => Promise<number>;
  };
}

const kind = store === localStore ? 'local' : 'indexedDb';
const own = scenarios.filter(({ limits }) => limits[kind] !== undefined);
const parts = ['ours', 'byHand', 'cached', 'baseline'] as const;

globalThis.bench = {
  // JSON has no `Infinity`.
  rows: own.map((scenario) => ({
    ...scenario,
    limit: scenario.limits[kind] === Infinity ? null : scenario.limits[kind],
    parts: parts.filter((part) => scenario[part] !== undefined),
  })) as readonly Row[],
  prepare: async (row) => own[row]?.before?.(),
  sample: async (row, part, calls = own[row]?.calls ?? 1) => {
    const { [part]: call, measure } = own[row] as Scenario;
    if (call === undefined) throw new Error(`The scenario has no part "${part}".`);
    const start = performance.now();
    let result: unknown;
    for (let left = calls; left > 0; left -= 1) result = await call();
    return measure === 'returned' ? Number(result) : (performance.now() - start) / calls;
  },
};

document.title = 'ready';
