import { type Callers, identifyCaller, type Identity, type Sender } from '../../src/messaging/callers.ts';
import { type Client, createClient } from '../../src/messaging/client/client.ts';
import type { Contract } from '../../src/messaging/contract.ts';
import type { Json } from '../../src/messaging/json.ts';
import {
  type Background,
  type BackgroundOptions,
  createBackground,
  type Handlers,
} from '../../src/messaging/server/background.ts';
import type { Store } from '../../src/messaging/state/store.ts';
import type { IncomingPort, Port } from '../../src/messaging/wire.ts';

/**
 * The pages of a browser, one background ("worker") at a time and a disk, in memory: real client, real server, real
 * handlers. Everything that a browser would do is in this file, in four parts: the world, its pages, its ports, its disk.
 *
 * It claims of browsers, and `tests/browser/memory-world.test.ts` confirms in both, that
 *
 * - a message is copied: Chromium's wire is JSON, Firefox's the structured clone
 * - messages arrive whole and in the order in which they were posted; frames of an old port of a page arrive before
 *   those of a new one (1,500 of 1,500 real pairs did)
 * - what was posted before a disconnect arrives; what is posted after it is lost without an error
 * - a disconnect notifies the other end and not the own; so does closing a page
 * - a port starts a worker that sleeps; when a worker ends, all its ports are notified and its globals are gone
 * - one at a time has the lock, also of two workers, and death frees it
 * - a write of several keys is all of them or none, whenever the worker dies and when the store refuses
 * - an event starts a worker that sleeps, and is given to the listeners of that worker alone, once
 * - the sender of an own page has an id, an origin and a URL
 *
 * `tests/browser/{connection,failures,sleep}.test.ts` confirm what happens to a page under which the extension is updated,
 * to a worker that is mute or throws at start, and that an open port keeps no worker awake. That a page in the back/forward
 * cache has lost its port follows Chromium's documentation: no browser keeps an extension's page there today.
 */
export interface MemoryWorld<C extends Contract> {
  readonly disk: ReturnType<typeof createMemoryDisk>;
  /** Errors that the workers logged, by incident. */
  readonly logged: ReadonlyMap<string, unknown>;
  /** Workers started so far. */
  readonly starts: () => number;
  readonly isWorkerRunning: () => boolean;
  /** Opens a page, or connects from any other sender. */
  readonly openPage: (from: string | Sender) => MemoryPage<C>;
  /** Gives an event of the browser to a listener in the worker, which is started if it sleeps. Returns the listener's result. */
  readonly fire: <T>(listener: (background: Background<C>) => T) => T;
  /** Ends the worker between two instructions: globals, ports and locks are gone. Sleep is the same. */
  readonly killWorker: () => void;
  /** Lets the next worker that comes to this point die there, once. */
  readonly killWorkerAt: (point: DeathPoint) => void;
  /** Takes the worker's ports away while it continues to run; the next port starts a second one. */
  readonly detachWorker: () => void;
  /** From now on workers start, take ports and never answer; or answer again. */
  readonly mute: (isMute: boolean) => void;
  /** From now on workers end as soon as they are started; or live again. */
  readonly crash: (isCrashing: boolean) => void;
}

/** Named moments in the life of a mutation at which a worker can be made to die. An event's mutation is noted first. */
export type DeathPoint = 'before-note' | 'after-note' | 'before-commit' | 'after-commit' | 'before-reply';

export interface MemoryWorldOptions<C extends Contract> extends Pick<BackgroundOptions, 'documents'> {
  readonly callers: Callers;
  readonly contract: C;
  readonly observe?: BackgroundOptions['observe'];
  /** Those of every worker, or what makes a worker's own, with its own observer. */
  readonly handlers: Handlers<C> | (() => WorkerParts<C>);
  readonly wire?: Wire;
  /** Changes how each worker reaches the disk, to let it fail, hang or lie. */
  readonly patchStore?: (store: Store) => Store;
  /** Changes how each worker posts, to let it fail or lie. */
  readonly patchPort?: (port: IncomingPort) => IncomingPort;
}

interface WorkerParts<C extends Contract> {
  readonly handlers: Handlers<C>;
  readonly observe?: BackgroundOptions['observe'];
  /** Registers what the worker's script registers. */
  readonly start?: (background: Background<C>) => void;
}

/** The extension in the world. */
export const WORLD: Identity = { id: 'world', origin: 'chrome-extension://world' };

/** The browser's description of one of the world's own pages. */
export function senderOf(callers: Callers, name: string): Sender {
  const caller = callers[name];
  if (caller?.kind !== 'page') throw new Error(`There is no page "${name}".`);
  return { ...WORLD, url: `${WORLD.origin}/${caller.path}` };
}

interface Worker<C extends Contract> {
  readonly background: Background<C>;
  readonly ports: Set<PortEnd>;
  readonly end: () => void;
}

export function createMemoryWorld<const C extends Contract>({
  callers,
  contract,
  handlers,
  documents,
  observe,
  wire = 'json',
  patchStore = (store) => store,
  patchPort = (port) => port,
}: MemoryWorldOptions<C>): MemoryWorld<C> {
  const disk = createMemoryDisk();
  const logged = new Map<string, unknown>();
  let worker: Worker<C> | undefined;
  let starts = 0;
  let deathPoint: DeathPoint | undefined;
  let isMute = false;
  let isCrashing = false;

  function startWorker(): Worker<C> {
    starts += 1;
    const life = createLife(dieAt);
    const parts = typeof handlers === 'function' ? handlers() : { handlers, ...(observe && { observe }) };
    const background = createBackground(contract, parts.handlers, {
      ...('observe' in parts && parts.observe && { observe: parts.observe }),
      identify: (sender) => identifyCaller(callers, sender, WORLD),
      store: patchStore(disk.mount(life)),
      documents,
      log: (incident, error) => {
        if (!life.isOver()) logged.set(incident, error);
      },
    });
    if ('start' in parts) parts.start?.(background);
    return { background, ports: new Set(), end: life.end };
  }

  function dieAt(point: DeathPoint): void {
    if (deathPoint !== point) return;
    deathPoint = undefined;
    killWorker();
  }

  function killWorker(): void {
    worker?.end();
    detachWorker();
  }

  function detachWorker(): void {
    const detached = worker;
    worker = undefined;
    for (const port of detached?.ports ?? []) port.disconnect();
  }

  function connectFrom(sender: Sender): PortEnd {
    const [pageEnd, workerEnd] = createPortPair(wire);
    worker ??= startWorker();
    const { background, ports } = worker;
    ports.add(workerEnd);
    const post = (message: unknown): boolean => {
      if (answersIn(message).length > 0) dieAt('before-reply');
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
      openPage<C>(() => connectFrom(typeof from === 'string' ? senderOf(callers, from) : from)),
    fire: (listener) => {
      worker ??= startWorker();
      return listener(worker.background);
    },
    killWorker,
    killWorkerAt: (point) => (deathPoint = point),
    detachWorker,
    mute: (value) => (isMute = value),
    crash: (value) => (isCrashing = value),
  };
}

// Pages

/** One page of the world. */
export interface MemoryPage<C extends Contract> {
  readonly client: Client<C>;
  /** Opens a port of its own, to post anything at all over. */
  readonly openRawPort: () => RawPort;
  /** Closes the page: the worker is notified that its ports are gone. */
  readonly close: () => void;
  /** Puts the page into the back/forward cache: its ports are gone and it is not notified. */
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

function openPage<C extends Contract>(connectToWorker: () => PortEnd): MemoryPage<C> {
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
    client: createClient<C>(connect),
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
  (message as readonly { readonly kind: string }[]).filter(
    ({ kind }) => kind !== 'ready' && kind !== 'acked',
  );

// Ports

/** The way in which a message is copied: as JSON in Chromium, as a structured clone in Firefox. */
export type Wire = 'json' | 'clone';

/** One end of a port, with the handles that only the world has. */
export interface PortEnd extends Port {
  /** Messages that the other end has posted and that are not delivered yet. */
  readonly deliver: (message: unknown) => void;
  /** Notifies this end that the other is gone, after everything that was posted before. */
  readonly drop: () => void;
}

/** Two joined ends. Messages arrive in order, in a later microtask each; a closed end neither sends nor receives. */
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
        // As `src/platform/` does where the browser refuses a message.
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

/** @param pass called at each named moment of a life that is not over; may end it */
function createLife(pass: (point: DeathPoint) => void) {
  let isOver = false;
  let end = (): void => {};
  const over = new Promise<void>((resolve) => (end = resolve));
  return {
    over,
    isOver: () => isOver,
    end: () => {
      isOver = true;
      end();
    },
    pass: (point: DeathPoint) => {
      if (!isOver) pass(point);
    },
    /** A promise of the worker, which settles only while it lives. */
    alive: async <T>(value: T): Promise<T> => (isOver ? new Promise<T>(() => {}) : value),
  };
}

/** Storage and locks that outlast workers. */
function createMemoryDisk() {
  const texts = new Map<string, string>();
  let writeFailure: Error | undefined;
  let readFailure: Error | undefined;
  let lockTail = Promise.resolve();

  const read = (key: string): Json | undefined => {
    const text = texts.get(key);
    return text === undefined ? undefined : (JSON.parse(text) as Json);
  };
  const write = (key: string, value: Json): void => {
    if (value === null) texts.delete(key);
    else texts.set(key, JSON.stringify(value));
  };

  /** The store as one worker has it. When its life is over, all that it has begun ends and its lock is free. */
  function mount({ isOver, over, pass, alive }: Life): Store {
    async function reading<T>(look: () => T): Promise<T> {
      if (readFailure !== undefined) throw readFailure;
      return alive(look());
    }

    return {
      read: (keys) =>
        reading(() => Object.fromEntries(keys.flatMap((key) => (texts.has(key) ? [[key, read(key)]] : [])))),
      list: (prefix) => reading(() => [...texts.keys()].filter((key) => key.startsWith(prefix)).toSorted()),
      write: async (entries) => {
        const isNote = Object.entries(entries).some(([key, value]) => key === 'inbox' && value === true);
        pass(isNote ? 'before-note' : 'before-commit');
        if (isOver()) return alive(undefined);
        if (writeFailure !== undefined) throw writeFailure;
        for (const [key, value] of Object.entries(entries)) write(key, value);
        pass(isNote ? 'after-note' : 'after-commit');
        return alive(undefined);
      },
      lock: async (work) => {
        const before = lockTail;
        let finish = (): void => {};
        const done = new Promise<void>((resolve) => (finish = resolve));
        // The turn of a worker that died while it waited is over when those before it are.
        lockTail = before.then(() => Promise.race([done, over]));
        try {
          await before;
          await alive(undefined);
          return await work();
        } finally {
          finish();
        }
      },
    };
  }

  return {
    mount,
    read,
    /** The data of a document or a record. */
    dataOf: (key: string): Json | undefined => (read(key) as { readonly data: Json } | undefined)?.data,
    write,
    keys: (): readonly string[] => [...texts.keys()],
    /** Lets every write reject with this error, until called again. */
    failWrites: (error: Error | undefined) => (writeFailure = error),
    /** Lets every read by a worker reject with this error, until called again. */
    failReads: (error: Error | undefined) => (readFailure = error),
  };
}
