import {
  ask,
  echo,
  fill,
  follow,
  followedChange,
  inFlight,
  manyItems,
  mutate,
  nextId,
  query,
  slowest,
} from './extension/calls.ts';

/** One row of the benchmark. It runs in the page of `extension`, whose background has the core and the code by hand. */
export interface Scenario {
  readonly name: string;
  /** The work through the core. */
  readonly ours: Call;
  /** The same work in the code that an engineer writes by hand. Without the core, it is kept as safe only from lost updates. */
  readonly byHand?: Call;
  /** The same by hand, with all values in memory. */
  readonly cached?: Call;
  /** Names `byHand` where it is something else. */
  readonly against?: string;
  /** The highest multiple of `byHand` that is allowed, by the store that holds the state. A store without a member is not measured. */
  readonly limits: { readonly local?: number; readonly indexedDb?: number };
  /** Work before the first round. */
  readonly before?: Call;
  /** Number of calls of which a sample is the mean, 1 by default. */
  readonly calls?: number;
  readonly rounds?: number;
  /**
   * - `time` (default): duration in ms
   * - `returned`: ms that the call returns
   * - `cold`: duration of a call that starts the background
   * - `cpu`: CPU time in ms, without that of `baseline`
   * - `heap`: growth of the background's heap in MB, after `baseline`
   */
  readonly measure?: 'time' | 'returned' | 'cold' | 'cpu' | 'heap';
  readonly baseline?: Call;
}

type Call = () => Promise<unknown>;

/** The limit of a row that is only reported. */
const NONE = Infinity;

const hundred = 'x'.repeat(100);
const megabyte = 'x'.repeat(1_000_000);
const atOnce = { count: 2_000, pause: 0 } as const;
const inTurn = { count: 400, pause: 'in turn' } as const;
const paused = { count: 250, pause: 20 } as const;
/** Records whose JSON text has about 10 kB. */
const fewItems = manyItems.slice(0, 55);
const middle = { after: '005000', count: 100 };
const all = { after: '', count: 10_000 };

/** The same work in several rows. */
const sequential = { name: '100 B, one after the other', calls: 100, ours: () => echo(hundred) };
const parallel = { name: '500 calls, 64 in flight', ours: () => inFlight(() => echo(hundred)) };
const sendMessage = { against: 'sendMessage', byHand: () => chrome.runtime.sendMessage(hundred) };
const change = {
  calls: 20,
  ours: () => mutate('notes.change', nextId()),
  byHand: () => ask('byHand', 'change', nextId()),
  cached: () => ask('cached', 'change', nextId()),
};
const allNotes = {
  before: () => fill(10_000),
  ours: () => query('notes.all'),
  byHand: () => ask('byHand', 'list', all),
  cached: () => ask('cached', 'list', all),
};

/**
 * All rows, in the order in which they run. Later rows use the data of earlier ones, and
 * subscriptions stay open. The limits are at least 5 % above the highest ratio of several runs.
 */
export const scenarios: readonly Scenario[] = [
  // Calls without state.
  { ...sequential, against: 'raw port', limits: { local: 1.45 }, byHand: () => ask('raw', 'echo', hundred) },
  { ...sequential, ...sendMessage, limits: { local: 0.7 } },
  {
    ...parallel,
    against: 'raw port',
    limits: { local: 0.4 },
    byHand: () => inFlight(() => ask('raw', 'echo', hundred)),
  },
  { ...parallel, ...sendMessage, limits: { local: 0.36 }, byHand: () => inFlight(sendMessage.byHand) },
  {
    name: '1 MB in one text',
    against: 'raw port',
    limits: { local: 1.15 },
    ours: () => query('text.echo', megabyte),
    byHand: () => ask('raw', 'echo', megabyte),
  },
  {
    name: '10 kB of small records',
    against: 'raw port',
    limits: { local: 1.5 },
    calls: 20,
    ours: () => query('items.echo', fewItems),
    byHand: () => ask('raw', 'echo', fewItems),
  },
  {
    name: '1 MB of small records',
    against: 'raw port',
    limits: { local: 1.6 },
    ours: () => query('items.echo', manyItems),
    byHand: () => ask('raw', 'echo', manyItems),
  },

  // State.
  { name: 'click: change of one of 10 records', limits: { local: 0.95 }, before: () => fill(10), ...change },
  {
    name: 'mutation',
    against: 'raw port and one set',
    limits: { local: 1.85 },
    calls: 20,
    ours: () => mutate('total.add'),
    byHand: () => ask('raw', 'set'),
  },
  {
    name: 'change of one of 10,000',
    limits: { local: 1.1, indexedDb: NONE },
    before: () => fill(10_000),
    ...change,
  },
  {
    name: 'page of 100, ids known',
    limits: { local: 0.7, indexedDb: NONE },
    calls: 10,
    before: () => fill(10_000),
    ours: () => query('notes.page', middle.after),
    byHand: () => ask('byHand', 'list', middle),
    cached: () => ask('cached', 'list', middle),
  },
  { name: '10,000 to a page', limits: { local: 0.5, indexedDb: 0.8 }, ...allNotes },
  {
    name: 'change of 1 MB',
    limits: { local: 0.9, indexedDb: 1.35 },
    calls: 2,
    ours: () => mutate('large.change', 'one'),
    byHand: () => ask('byHand', 'changeLines'),
    cached: () => ask('cached', 'changeLines'),
  },
  {
    name: 'first change after sleep, 10,000 stored',
    limits: { local: NONE },
    measure: 'cold',
    before: () => fill(10_000),
    ...change,
    calls: 1,
  },
  {
    name: 'heap of 10,000 records of 180 B',
    limits: { local: NONE },
    measure: 'heap',
    rounds: 3,
    before: allNotes.before,
    ours: () => query('notes.load'),
    cached: allNotes.cached,
    baseline: () => echo(hundred),
  },
  {
    name: 'heap of 10 MB',
    limits: { indexedDb: NONE },
    measure: 'heap',
    rounds: 3,
    before: () => fill(50_000),
    baseline: () => echo(hundred),
    ours: () => query('notes.load'),
    cached: () => ask('cached', 'list', { after: '', count: 50_000 }),
  },

  // Events.
  {
    name: '2,000 events at once',
    limits: { local: 0.5 },
    rounds: 6,
    ours: () => ask('raw', 'makeEvents', { way: 'ours', ...atOnce }),
    byHand: () => ask('raw', 'makeEvents', { way: 'byHand', ...atOnce }),
    cached: () => ask('raw', 'makeEvents', { way: 'cached', ...atOnce }),
  },
  {
    name: 'CPU of 250 events in 5 s',
    limits: { local: 1.7 },
    measure: 'cpu',
    rounds: 3,
    baseline: () => ask('raw', 'makeEvents', { way: 'nothing', ...paused }),
    ours: () => ask('raw', 'makeEvents', { way: 'ours', ...paused }),
    byHand: () => ask('raw', 'makeEvents', { way: 'byHand', ...paused }),
    cached: () => ask('raw', 'makeEvents', { way: 'cached', ...paused }),
  },
  // By hand, the events come in turn, because otherwise a mutation would wait for all of them.
  {
    name: 'query during events, p95',
    limits: { local: NONE },
    measure: 'returned',
    rounds: 6,
    ours: () => slowest(() => echo(hundred), { way: 'ours', ...atOnce }),
    byHand: () => slowest(() => ask('raw', 'echo', hundred), { way: 'byHand', ...inTurn }),
  },
  {
    name: 'mutation during events, p95',
    limits: { local: NONE },
    measure: 'returned',
    rounds: 6,
    ours: () => slowest(() => mutate('total.add'), { way: 'ours', ...atOnce }),
    byHand: () => slowest(() => ask('raw', 'add'), { way: 'byHand', ...inTurn }),
  },

  // Many subscribers, each with its own port.
  {
    name: 'change of 1 MB until 100 subscribers have heard',
    against: 'until one has heard',
    limits: { local: 1.5 },
    before: async () => {
      await follow('one', 100);
      await follow('two', 1);
    },
    ours: () => followedChange('one'),
    byHand: () => followedChange('two'),
  },
];
