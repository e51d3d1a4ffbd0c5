import { type Client, createClient } from '../../src/messaging/client/client.ts';
import type { Callers } from '../../src/messaging/define/define-callers.ts';
import { type Identity, identifyCaller } from '../../src/messaging/server/identify-caller.ts';
import type { IncomingPort, Port, Sender } from '../../src/messaging/wire/frames.ts';
import type { ApiOf, Feature } from '../../src/messaging/define/feature.ts';
import type { TaskItem } from '../../src/messaging/define/handler-state.ts';
import type { Json } from '../../src/messaging/wire/json.ts';
import type { Procedures } from '../../src/messaging/define/procedures.ts';
import {
  type BackgroundOptions,
  createBackground,
  type RunningBackground,
} from '../../src/messaging/background.ts';
import { isJobKey, MARK, parseJob, QUEUE, tasksIn } from '../../src/messaging/state/job.ts';
import type { Entries, Store } from '../../src/messaging/state/store.ts';

/**
 * A browser in memory: pages, a disk, and one background ("worker") at a time. The client, the server and the handlers are
 * real. This file replaces only the browser, in four parts: the world, its pages, its ports and its disk.
 *
 * It relies on these facts about browsers. `tests/release/memory-world.test.ts` shows most of them in both browsers,
 * `facts.test.ts` in the same folder those about the next worker and about writes, `events.test.ts` the one about events, and
 * `senders.test.ts` the one about senders:
 *
 * - A message is copied: as JSON in Chromium, as a structured clone in Firefox.
 * - Messages arrive whole and in the order in which they were posted. Frames of a page's old port arrive before those of its
 *   new port (measured with 1,500 pairs of ports).
 * - Messages that were posted before a disconnect arrive. Later ones are lost without an error.
 * - A disconnect notifies only the other end. Closing a page does the same.
 * - A port starts a worker that sleeps. When a worker ends, its ports are closed and its globals are gone.
 * - There is one worker at a time, and the next one sees every write of the one before.
 * - A write of several keys writes all of them or none, even if the worker dies or the store refuses a value.
 * - An event starts a worker that sleeps, and reaches the listeners of that worker once.
 * - The sender of a page of the extension has an id, an origin and a URL. That of a content script also has a tab and a frame.
 *
 * `tests/browser/{connection,failures,sleep}.test.ts` show what happens to a page when its extension is updated, what a worker
 * that is silent or throws at start looks like, and that an open port does not keep a worker awake. A page in the back/forward
 * cache loses its port according to Chromium's documentation. Today no browser keeps a page of an extension there.
 */
export interface MemoryWorld<Api> {
  readonly disk: ReturnType<typeof createMemoryDisk>;
  /** Errors that the workers logged, by incident. */
  readonly logged: ReadonlyMap<string, unknown>;
  /** Workers started so far. */
  readonly starts: () => number;
  readonly isWorkerRunning: () => boolean;
  /** Opens a page by its name, a content script by the address of its web page, or a connection of any other sender. */
  readonly openPage: (from: string | Sender) => MemoryPage<Api>;
  /** Calls a listener in the worker, as an event does. Starts a worker that sleeps. Returns the listener's result. */
  readonly fire: <T>(listener: (background: RunningBackground<Api>) => T) => T;
  /** Ends the worker between two instructions. Its globals and ports are gone, as when a worker falls asleep. */
  readonly killWorker: () => void;
  /** Ends the worker when it next reaches this point, once. */
  readonly killWorkerAt: (point: DeathPoint) => void;
  /** Makes workers ignore new ports, or accept them again. */
  readonly mute: (isMute: boolean) => void;
  /** Makes workers end as soon as a port is opened, or live again. */
  readonly crash: (isCrashing: boolean) => void;
}

/** Points in the course of a mutation at which a worker can die. Only the mutation of an event is noted. */
export type DeathPoint = 'before-note' | 'after-note' | 'before-commit' | 'after-commit' | 'before-reply';

export interface MemoryWorldOptions<F extends Features> extends Pick<
  BackgroundOptions,
  'alone' | 'session' | 'wakeAt' | 'stayAwake' | 'network'
> {
  readonly callers: Callers;
  /** The features of all workers, or a function that is called at each start and returns the features of one worker. */
  readonly features: F | (() => F);
  readonly wire?: Wire;
  /** Wraps the store of each worker, to make it fail, hang or report a false result. */
  readonly patchStore?: (store: Store) => Store;
  /** Wraps the ports of each worker, to make them fail or change frames. */
  readonly patchPort?: (port: IncomingPort) => IncomingPort;
}

type Features = readonly Feature<Procedures>[];

/** The place of the content scripts of the world: the outermost frame of one tab. */
const IN_TAB = { tab: { id: 1 }, frameId: 0 };

/** The identity of the extension in the world. */
export const WORLD: Identity = { id: 'world', origin: 'chrome-extension://world' };

/** Returns the browser's description of a page of the extension, or of a content script by the address of its web page. */
export function senderOf(callers: Callers, from: string): Sender {
  if (URL.canParse(from)) return { id: WORLD.id, origin: new URL(from).origin, url: from, ...IN_TAB };
  const caller = callers[from];
  if (caller?.kind !== 'page') throw new Error(`There is no page "${from}".`);
  return { ...WORLD, url: `${WORLD.origin}/${caller.path}` };
}

interface Worker<Api> {
  readonly background: RunningBackground<Api>;
  readonly ports: Set<PortEnd>;
  readonly end: () => void;
}

export function createMemoryWorld<const F extends Features>({
  callers,
  features,
  wire = 'json',
  patchStore = (store) => store,
  patchPort = (port) => port,
  ...browser
}: MemoryWorldOptions<F>): MemoryWorld<ApiOf<F>> {
  type Api = ApiOf<F>;
  const disk = createMemoryDisk();
  const logged = new Map<string, unknown>();
  let worker: Worker<Api> | undefined;
  let starts = 0;
  let deathPoint: DeathPoint | undefined;
  let isMute = false;
  let isCrashing = false;

  function startWorker(): Worker<Api> {
    starts += 1;
    const life = createLife((point) => dieAt(point, started));
    const background = createBackground(typeof features === 'function' ? features() : features, {
      identify: (sender) => identifyCaller(callers, sender, WORLD),
      store: patchStore(disk.mount(life)),
      ...browser,
      log: (incident, error) => {
        if (!life.isOver()) logged.set(incident, error);
      },
    });
    const started: Worker<Api> = { background, ports: new Set(), end: life.end };
    return started;
  }

  function dieAt(point: DeathPoint, dying: Worker<Api>): void {
    if (deathPoint !== point) return;
    deathPoint = undefined;
    if (dying === worker) killWorker();
    else dying.end();
  }

  function killWorker(): void {
    if (worker === undefined) return;
    const { ports, end } = worker;
    worker = undefined;
    end();
    for (const port of ports) port.disconnect();
  }

  function connectFrom(sender: Sender): PortEnd {
    const [pageEnd, workerEnd] = createPortPair(wire);
    worker ??= startWorker();
    const opened = worker;
    const { background, ports } = opened;
    ports.add(workerEnd);
    const post = (message: unknown): boolean => {
      if (answersIn(message).length > 0) dieAt('before-reply', opened);
      return workerEnd.post(message);
    };
    if (isCrashing) killWorker();
    else if (!isMute) background.accept(patchPort({ ...workerEnd, sender, post }));
    return pageEnd;
  }

  return {
    disk,
    logged,
    starts: () => starts,
    isWorkerRunning: () => worker !== undefined,
    openPage: (from) =>
      openPage<Api>(() => connectFrom(typeof from === 'string' ? senderOf(callers, from) : from)),
    fire: (listener) => {
      worker ??= startWorker();
      return listener(worker.background);
    },
    killWorker,
    killWorkerAt: (point) => (deathPoint = point),
    mute: (value) => (isMute = value),
    crash: (value) => (isCrashing = value),
  };
}

// Pages

/** One page of the world. */
export interface MemoryPage<Api> {
  readonly client: Client<Api>;
  /** Opens a further port, over which a test can post any message. */
  readonly openRawPort: () => RawPort;
  /** Closes the page, which notifies the worker. */
  readonly close: () => void;
  /** Puts the page into the back/forward cache. Its ports are closed, and it is not notified. */
  readonly enterCache: () => void;
  /** Cuts the page off from the extension, as a reload of the extension does. */
  readonly orphan: () => void;
}

export interface RawPort extends Omit<Port, 'post'> {
  /** Posts frames as one message. */
  readonly post: (...frames: readonly unknown[]) => void;
  readonly postMessage: (message: unknown) => void;
  /** The frames that arrived, without confirmations. */
  readonly received: readonly unknown[];
  readonly isClosed: () => boolean;
}

function openPage<Api>(connectToWorker: () => PortEnd): MemoryPage<Api> {
  const ends = new Set<PortEnd>();
  let isOrphaned = false;
  const connect = (): PortEnd => {
    if (isOrphaned) throw new Error('Extension context invalidated.');
    const end = connectToWorker();
    ends.add(end);
    return end;
  };
  const disconnect = (): void => {
    for (const end of ends) end.disconnect();
  };
  return {
    client: createClient<Api>(connect),
    openRawPort: () => collectFrames(connect()),
    close: disconnect,
    enterCache: disconnect,
    orphan: () => {
      isOrphaned = true;
      for (const end of ends) end.drop();
    },
  };
}

function collectFrames(end: PortEnd): RawPort {
  const received: unknown[] = [];
  let isClosed = false;
  end.onMessage((message) => received.push(...answersIn(message)));
  end.onDisconnect(() => (isClosed = true));
  return {
    ...end,
    post: (...frames) => void end.post(frames),
    postMessage: (message) => void end.post(message),
    received,
    isClosed: () => isClosed,
  };
}

/** The frames in a message from the background, without confirmations. */
const answersIn = (message: unknown): readonly unknown[] =>
  (message as readonly { readonly kind: string }[]).filter(({ kind }) => kind !== 'ready');

// Ports

/** The way a message is copied: as JSON in Chromium, as a structured clone in Firefox. */
export type Wire = 'json' | 'clone';

/** One end of a port, with methods for its other end. */
export interface PortEnd extends Port {
  /** Delivers a message that the other end has posted. */
  readonly deliver: (message: unknown) => void;
  /** Notifies this end that the other end is gone, after all earlier messages. */
  readonly drop: () => void;
}

/** Creates two joined ends. Each message arrives in a later microtask, in order. A closed end neither sends nor receives. */
export function createPortPair(wire: Wire): [PortEnd, PortEnd] {
  const left = createEnd(wire, () => right);
  const right = createEnd(wire, () => left);
  return [left, right];
}

function createEnd(wire: Wire, other: () => PortEnd): PortEnd {
  const messageListeners = new Set<(message: unknown) => void>();
  const disconnectListeners = new Set<() => void>();
  let isOpen = true;

  return {
    post: (message) => {
      try {
        if (isOpen) other().deliver(copy(message, wire));
        return true;
      } catch {
        // `src/platform/port.ts` does the same when the browser refuses a message.
        return false;
      }
    },
    deliver: (message) => {
      queueMicrotask(() => {
        if (isOpen) for (const listener of messageListeners) listener(message);
      });
    },
    drop: () => {
      queueMicrotask(() => {
        if (!isOpen) return;
        isOpen = false;
        for (const listener of disconnectListeners) listener();
      });
    },
    disconnect: () => {
      if (!isOpen) return;
      isOpen = false;
      other().drop();
    },
    onMessage: (listener) => void messageListeners.add(listener),
    onDisconnect: (listener) => void disconnectListeners.add(listener),
  };
}

function copy(message: unknown, wire: Wire): unknown {
  return wire === 'json' ? JSON.parse(JSON.stringify(message)) : structuredClone(message);
}

// Disk

/** The life of one worker. */
type Life = ReturnType<typeof createLife>;

/** @param pass called at each `DeathPoint` until the life is over; may end the life */
function createLife(pass: (point: DeathPoint) => void) {
  let isOver = false;
  return {
    isOver: () => isOver,
    end: () => void (isOver = true),
    pass: (point: DeathPoint) => {
      if (!isOver) pass(point);
    },
    /** Resolves with the value, or never if the worker is dead. */
    alive: async <T>(value: T): Promise<T> => (isOver ? new Promise<T>(() => {}) : value),
  };
}

/** Returns `true` for a write that notes events: it stores records and the mark, and nothing else. */
export const isNote = (entries: Entries): boolean =>
  MARK in entries &&
  Object.keys(entries).length > 1 &&
  Object.entries(entries).every(([key, value]) => key.startsWith(QUEUE) && typeof value === 'string');

/** Storage that outlasts workers. */
function createMemoryDisk() {
  const texts = new Map<string, string>();
  let writeFailure: Error | undefined;
  let readFailure: Error | undefined;

  const read = (key: string): Json | undefined => {
    const text = texts.get(key);
    return text === undefined ? undefined : (JSON.parse(text) as Json);
  };
  const write = (key: string, value: Json): void => {
    if (value === null) texts.delete(key);
    else texts.set(key, JSON.stringify(value));
  };

  /** Returns the store of one worker. When the worker dies, its operations never settle. */
  function mount({ isOver, pass, alive }: Life): Store {
    async function reading<T>(look: () => T): Promise<T> {
      if (readFailure !== undefined) throw readFailure;
      return alive(look());
    }

    return {
      read: (keys) =>
        reading(() => Object.fromEntries(keys.flatMap((key) => (texts.has(key) ? [[key, read(key)]] : [])))),
      list: (prefix) => reading(() => [...texts.keys()].filter((key) => key.startsWith(prefix)).toSorted()),
      write: async (entries) => {
        const point = isNote(entries) ? 'note' : 'commit';
        pass(`before-${point}`);
        if (isOver()) return alive(undefined);
        if (writeFailure !== undefined) throw writeFailure;
        for (const [key, value] of Object.entries(entries)) write(key, value);
        pass(`after-${point}`);
        return alive(undefined);
      },
    };
  }

  return {
    mount,
    read,
    /** The data of a document or a record. */
    dataOf: (key: string): Json | undefined => (read(key) as { readonly data: Json } | undefined)?.data,
    /** The tasks with a name that are not done, in the order in which they were enqueued. */
    tasksOf: (name: string): readonly TaskItem<unknown>[] => {
      const records = [...texts.keys()].toSorted().flatMap((key) => {
        const record = isJobKey(key) ? parseJob(read(key)) : undefined;
        return record === undefined ? [] : [[key, record] as const];
      });
      return tasksIn(records, name);
    },
    write,
    keys: (): readonly string[] => [...texts.keys()],
    /** Makes every write reject with this error, until called again. */
    failWrites: (error: Error | undefined) => (writeFailure = error),
    /** Makes every read by a worker reject with this error, until called again. */
    failReads: (error: Error | undefined) => (readFailure = error),
  };
}
