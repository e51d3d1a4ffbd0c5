import { type Client, createClient } from '../../src/messaging/client/client.ts';
import type { Contract } from '../../src/messaging/contract.ts';
import type { Json } from '../../src/messaging/json.ts';
import { identifyCaller } from '../../src/messaging/server/sender.ts';
import { createServer, type Handlers, type ServerOptions } from '../../src/messaging/server/server.ts';
import type { Store } from '../../src/messaging/server/state.ts';
import type { IncomingPort, Port, Sender } from '../../src/messaging/wire.ts';

/**
 * A browser's worth of pages, one background ("worker") at a time and a disk, in memory: real client, real server, real
 * handlers. Everything a browser would do is in this file, in four parts: the world, its pages, its ports, its disk.
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
 * - the sender of an own page has an id, an origin and a URL
 *
 * `tests/browser/{connection,failures,sleep}.test.ts` confirm what happens to a page under which the extension is updated,
 * to a worker that is mute or throws at start, and that an open port keeps no worker awake. That a page in the back/forward
 * cache has lost its port follows Chromium's documentation: no browser keeps an extension's page there today.
 */
export interface MemoryWorld<C extends Contract> {
  readonly disk: ReturnType<typeof createMemoryDisk>;
  /** What the workers logged, by incident. */
  readonly logged: ReadonlyMap<string, unknown>;
  /** Workers started so far. */
  readonly starts: () => number;
  readonly openPage: (sender: 'popup' | 'options' | Sender) => MemoryPage<C>;
  /** Ends the worker between two instructions: globals, ports and locks are gone. Sleep is the same. */
  readonly killWorker: () => void;
  /** Lets the next worker that comes to this point die there, once. */
  readonly killWorkerAt: (point: DeathPoint) => void;
  /** Takes the worker's ports away while it goes on running; the next port starts a second one. */
  readonly detachWorker: () => void;
  /** From now on workers start, take ports and never answer; or answer again. */
  readonly mute: (isMute: boolean) => void;
  /** From now on workers end as soon as they are started; or live again. */
  readonly crash: (isCrashing: boolean) => void;
}

/** Named moments in the life of a mutation at which a worker can be made to die. */
export type DeathPoint = 'before-commit' | 'after-commit' | 'before-reply';

export interface MemoryWorldOptions<C extends Contract> extends Partial<
  Pick<ServerOptions, 'observe' | 'prepare' | 'identify'>
> {
  readonly contract: C;
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
  readonly observe: NonNullable<ServerOptions['observe']>;
}

export const WORLD_ID = 'world';
export const WORLD_ORIGIN = 'chrome-extension://world';
const PAGES = { popup: 'src/popup/index.html', options: 'src/options/index.html' };

/** What the browser says about one of the world's own pages. */
export const senderOf = (page: 'popup' | 'options'): Sender => ({
  id: WORLD_ID,
  origin: WORLD_ORIGIN,
  url: `${WORLD_ORIGIN}/${PAGES[page]}`,
});

/** Identifies the world's own pages, and no other sender. */
export const identifyOwnPage = (sender: Sender | undefined): string | undefined =>
  identifyCaller(sender, { id: WORLD_ID, origin: WORLD_ORIGIN, pages: PAGES });

interface Worker {
  readonly accept: (port: IncomingPort) => void;
  readonly ports: Set<PortEnd>;
  readonly end: () => void;
}

export function createMemoryWorld<const C extends Contract>({
  contract,
  handlers,
  wire = 'json',
  patchStore = (store) => store,
  patchPort = (port) => port,
  identify = identifyOwnPage,
  ...options
}: MemoryWorldOptions<C>): MemoryWorld<C> {
  const disk = createMemoryDisk();
  const logged = new Map<string, unknown>();
  let worker: Worker | undefined;
  let starts = 0;
  let deathPoint: DeathPoint | undefined;
  let isMute = false;
  let isCrashing = false;

  function startWorker(): Worker {
    starts += 1;
    const life = createLife(dieAt);
    const parts = typeof handlers === 'function' ? handlers() : { handlers };
    const accept = createServer(contract, parts.handlers, {
      ...options,
      ...('observe' in parts && { observe: parts.observe }),
      identify,
      store: patchStore(disk.mount(life)),
      log: (incident, error) => {
        if (!life.isOver()) logged.set(incident, error);
      },
    });
    return { accept, ports: new Set(), end: life.end };
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
    const { accept, ports } = worker;
    ports.add(workerEnd);
    const post = (message: unknown): boolean => {
      if (answersIn(message).length > 0) dieAt('before-reply');
      return workerEnd.post(message);
    };
    if (isCrashing) killWorker();
    else if (!isMute) accept(patchPort({ ...workerEnd, sender, post }));
    return pageEnd;
  }

  return {
    disk,
    logged,
    starts: () => starts,
    openPage: (from) => openPage<C>(() => connectFrom(typeof from === 'string' ? senderOf(from) : from)),
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
  /** The frames that came, READY left out. */
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

/** What a message from the background has to say, READY left out. */
const answersIn = (message: unknown): readonly unknown[] =>
  (message as readonly { readonly kind: string }[]).filter(({ kind }) => kind !== 'ready');

// Ports

/** How a message is copied on its way: Chromium's wire is JSON, Firefox's the structured clone. */
export type Wire = 'json' | 'clone';

/** One end of a port, with the handles that only the world has. */
export interface PortEnd extends Port {
  /** What the other end posts, before it is delivered. */
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
  const readAll = (): Record<string, Json> =>
    Object.fromEntries([...texts].map(([key, text]) => [key, JSON.parse(text) as Json]));
  const write = (key: string, value: Json): void => void texts.set(key, JSON.stringify(value));

  /** The store as one worker has it. When its life is over, nothing it has begun goes on and its lock is free. */
  function mount({ isOver, over, pass, alive }: Life): Store {
    async function reading<T>(look: () => T): Promise<T> {
      if (readFailure !== undefined) throw readFailure;
      return alive(look());
    }

    return {
      read: (key) => reading(() => read(key)),
      readAll: () => reading(readAll),
      remove: async (keys) => {
        if (!isOver()) for (const key of keys) texts.delete(key);
        return alive(undefined);
      },
      write: async (entries) => {
        pass('before-commit');
        if (isOver()) return alive(undefined);
        if (writeFailure !== undefined) throw writeFailure;
        for (const [key, value] of Object.entries(entries)) write(key, value);
        pass('after-commit');
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
    write,
    keys: (): readonly string[] => [...texts.keys()],
    /** Lets every write reject with this error, until called again. */
    failWrites: (error: Error | undefined) => (writeFailure = error),
    /** Lets every read by a worker reject with this error, until called again. */
    failReads: (error: Error | undefined) => (readFailure = error),
  };
}
