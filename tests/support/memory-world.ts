import { isDeepStrictEqual } from 'node:util';

import { createClient } from '../../src/messaging/create-client.ts';
import type { Client } from '../../src/messaging/create-client.ts';
import { createRecorder } from '../../src/messaging/create-recorder.ts';
import type { Recorder } from '../../src/messaging/create-recorder.ts';
import type { Transaction } from '../../src/messaging/create-state.ts';
import type { Contract } from '../../src/messaging/procedure.ts';
import { READY } from '../../src/messaging/frame.ts';
import type { Handlers } from '../../src/messaging/handlers.ts';
import { identifyCaller } from '../../src/messaging/identify-caller.ts';
import type { IncomingPort, Port, Sender } from '../../src/messaging/port.ts';
import { serve } from '../../src/messaging/serve.ts';
import { createMemoryDisk } from './memory-disk.ts';
import type { DeathPoint, Life, MemoryDisk } from './memory-disk.ts';
import { createPortPair } from './memory-port.ts';
import type { PortEnd, Wire } from './memory-port.ts';

/** One page of the world. */
export interface MemoryPage<C extends Contract> {
  readonly client: Client<C>;
  /** Posts anything at all over a port of its own, and collects what comes back. */
  readonly openRawPort: () => RawPort;
  /** Closes the page: the worker sees its ports go. */
  readonly close: () => void;
  /** Puts the page into the back/forward cache: its ports are gone and it is not told. */
  readonly enterCache: () => void;
  /** Cuts the page off from the extension, as a reload of the extension does. */
  readonly orphan: () => void;
}

export interface RawPort extends Port {
  /** What came, greetings aside. */
  readonly received: readonly unknown[];
  readonly isClosed: () => boolean;
}

/**
 * A browser's worth of pages, one worker and a disk, in memory: real client, real server, real handlers.
 *
 * It claims of browsers, and `tests/browser/{memory-world,memory-worker}.test.ts` confirm in both that
 *
 * - a message is copied: Chromium's wire is JSON, Firefox's the structured clone
 * - messages arrive whole and in the order in which they were posted
 * - what was posted before a disconnect arrives; what is posted after it is lost without a word
 * - a disconnect tells the other end and not the own; so does closing a page
 * - a port starts a worker that sleeps; when a worker ends, all its ports are told and its globals are gone
 * - one at a time has the lock, also of two workers, and death frees it
 * - a write of several keys is all of them or none, whenever the worker dies and when the store refuses
 * - the sender of an own page has an id, an origin and an address
 *
 * and `tests/browser/{connection,failures,sleep}.test.ts` what becomes of a page under which the extension is updated, of
 * a worker that is mute or throws at start, and that an open port holds no worker awake. That a page in the back/forward
 * cache has lost its port goes by Chromium's documents: no browser keeps an extension's page there today.
 */
export interface MemoryWorld<C extends Contract> {
  readonly disk: MemoryDisk;
  /** What the worker logged, by incident. */
  readonly logged: ReadonlyMap<string, unknown>;
  /** Workers started so far. */
  readonly starts: () => number;
  readonly isAwake: () => boolean;
  readonly openPage: (sender: 'popup' | 'options' | Sender) => MemoryPage<C>;
  /** Ends the worker between two instructions: globals, ports and locks are gone. Sleep is the same. */
  readonly killWorker: () => void;
  /** Lets the next worker that comes to this point die there, once. */
  readonly killWorkerAt: (point: DeathPoint | 'before-reply') => void;
  /** From now on workers start, take ports and never answer; or answer again. */
  readonly mute: (isMute: boolean) => void;
  /** From now on workers end as soon as they are started; or live again. */
  readonly crash: (isCrashing: boolean) => void;
}

export interface MemoryWorldOptions<C extends Contract> {
  readonly contract: C;
  /** Those of every worker, or what makes a worker's own with a recorder of its own. */
  readonly handlers: Handlers<C> | ((recorder: Recorder) => Handlers<C>);
  readonly wire?: Wire;
  readonly recorder?: Recorder;
  readonly prepare?: (state: Transaction) => Promise<void>;
  /** Names callers besides the world's own pages. */
  readonly identifyOther?: (sender: Sender | undefined) => string | undefined;
}

export const WORLD_ID = 'world';
export const WORLD_ORIGIN = 'chrome-extension://world';
const PAGES = { popup: 'src/popup/index.html', options: 'src/options/index.html' };

/** What the browser says about one of the world's own pages. */
export function senderOf(page: 'popup' | 'options'): Sender {
  return { id: WORLD_ID, origin: WORLD_ORIGIN, url: `${WORLD_ORIGIN}/${PAGES[page]}` };
}

interface Worker {
  readonly accept: (port: IncomingPort) => void;
  readonly ports: Set<PortEnd>;
  readonly end: () => void;
}

export function createMemoryWorld<const C extends Contract>({
  contract,
  handlers,
  wire = 'json',
  recorder,
  prepare,
  identifyOther,
}: MemoryWorldOptions<C>): MemoryWorld<C> {
  const disk = createMemoryDisk();
  const logged = new Map<string, unknown>();
  let worker: Worker | undefined;
  let starts = 0;
  let deathPoint: DeathPoint | 'before-reply' | undefined;
  let isMute = false;
  let isCrashing = false;

  function startWorker(): Worker {
    let isOver = false;
    starts += 1;
    const life: Life = {
      isOver: () => isOver,
      pass: (point) => {
        if (isOver || deathPoint !== point) return;
        deathPoint = undefined;
        killWorker();
      },
    };
    const { store, unmount } = disk.mount(life);
    const own = recorder ?? createRecorder();
    const accept = serve(contract, typeof handlers === 'function' ? handlers(own) : handlers, {
      accept: (sender) =>
        identifyCaller(sender, { id: WORLD_ID, origin: WORLD_ORIGIN, pages: PAGES }) ??
        identifyOther?.(sender),
      store,
      recorder: own,
      ...(prepare && { prepare }),
      log: (incident, error) => {
        if (!isOver) logged.set(incident, error);
      },
    });
    return {
      accept,
      ports: new Set(),
      end: () => {
        isOver = true;
        unmount();
      },
    };
  }

  function killWorker(): void {
    const dying = worker;
    worker = undefined;
    dying?.end();
    for (const port of dying?.ports ?? []) port.disconnect();
  }

  function connectFrom(sender: Sender): PortEnd {
    const [pageEnd, workerEnd] = createPortPair(wire);
    worker ??= startWorker();
    const { accept, ports } = worker;
    ports.add(workerEnd);
    if (isCrashing) killWorker();
    else if (!isMute) accept({ ...workerEnd, sender, post: (message) => reply(workerEnd, message) });
    return pageEnd;
  }

  function reply(end: PortEnd, message: unknown): boolean {
    if (deathPoint === 'before-reply' && !isDeepStrictEqual(message, READY)) {
      deathPoint = undefined;
      killWorker();
    }
    return end.post(message);
  }

  function openPage(from: 'popup' | 'options' | Sender): MemoryPage<C> {
    const sender = typeof from === 'string' ? senderOf(from) : from;
    const ends = new Set<PortEnd>();
    let isOrphaned = false;
    const connect = (): PortEnd => {
      if (isOrphaned) throw new Error('Extension context invalidated.');
      const end = connectFrom(sender);
      ends.add(end);
      return end;
    };
    const disconnect = (): void => {
      for (const end of ends) end.disconnect();
    };
    return {
      client: createClient(contract, connect),
      openRawPort: () => watchPort(connect()),
      close: disconnect,
      enterCache: disconnect,
      orphan: () => {
        isOrphaned = true;
        for (const end of ends) end.drop();
      },
    };
  }

  return {
    disk,
    logged,
    starts: () => starts,
    isAwake: () => worker !== undefined,
    openPage,
    killWorker,
    killWorkerAt: (point) => {
      deathPoint = point;
    },
    mute: (value) => {
      isMute = value;
    },
    crash: (value) => {
      isCrashing = value;
    },
  };
}

function watchPort(end: PortEnd): RawPort {
  const received: unknown[] = [];
  let isClosed = false;
  end.onMessage((message) => {
    received.push(...[message].flat().filter((frame) => !isDeepStrictEqual(frame, READY)));
  });
  end.onDisconnect(() => {
    isClosed = true;
  });
  return { ...end, received, isClosed: () => isClosed };
}
