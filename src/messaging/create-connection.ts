import { batchFrames } from './batch-frames.ts';
import type { FramePort } from './batch-frames.ts';
import type { Exchange } from './exchange.ts';
import type { ClientFrame, ServerFrame } from './frame.ts';
import type { Connect } from './port.ts';

/**
 * What a page knows of its worker.
 *
 * - `idle`: nothing was asked yet
 * - `connecting`: something was asked; no word over this port yet
 * - `awake`: it serves this page; `roundTrip` is how long the last call took, in ms
 * - `asleep`: the browser stopped it while nothing was waiting; the next call starts it
 * - `failed`: `unreachable`, this page can reach no worker any more and has to be reloaded; `crashing`, the worker ends
 *   before it answers; `silent`, it is connected and says nothing
 */
export type ConnectionState =
  | { readonly status: 'idle' | 'connecting' | 'asleep' }
  | { readonly status: 'awake'; readonly roundTrip: number | undefined }
  | { readonly status: 'failed'; readonly reason: 'unreachable' | 'crashing' | 'silent' };

/** The one port of a page. */
export interface Connection {
  /** Opens a port unless there is one or one is on its way. All exchanges are transmitted over it. */
  readonly open: () => void;
  /** Whether there is a port. What is posted without one is lost. */
  readonly isOpen: () => boolean;
  readonly post: (frame: ClientFrame) => void;
  /** A call was answered after so many ms. */
  readonly noteRoundTrip: (duration: number) => void;
  /** Opens a port for exchanges that rest, if there are any. */
  readonly resume: () => void;
  /** As `resume`, over a new port whatever became of the old one, and with losses counted anew. */
  readonly reconnect: () => void;
  readonly state: () => ConnectionState;
  readonly onChange: (listener: () => void) => () => void;
}

/** Losses in a row, with no call answered in between, that make it `crashing`. */
const CRASHES = 3;

/**
 * Milliseconds until the worker has to be heard over a port, its start included. One that never is may be mute for
 * good: some are after an update (crbug 40805401), and in Chromium one that failed to register, whose ports stay open
 * all the same.
 */
const PATIENCE = 5_000;

/**
 * Losses in a row after which the port is still opened again at once: a browser makes a hidden page's timers wait 1 s.
 */
const RETRIES_AT_ONCE = 5;

/** Milliseconds before the port is opened again after so many losses in a row. */
const backoff = (losses: number): number => Math.min(10 * 2 ** losses, 2_000);

/**
 * Keeps one port to the worker, opened for work and never to keep the worker awake.
 *
 * ```
 *          open            message             lost, nothing waits
 *   idle ────────▶ connecting ────────▶ awake ─────────────────────▶ asleep
 *                    ▲  │  ▲              │ lost, something waits       │
 *                    │  │  └──────────────┘                             │
 *                    │  └─ lost 3 times, or never heard ────▶ failed ── any frame ─▶ awake
 *                    └──────────────────────── open ────────────────────┘
 * ```
 */
export function createConnection(connect: Connect, exchanges: ReadonlyMap<number, Exchange>): Connection {
  const changes = new EventTarget();
  let state: ConnectionState = { status: 'idle' };
  let port: FramePort | undefined;
  let reopening: ReturnType<typeof setTimeout> | undefined;
  let silence: ReturnType<typeof setTimeout> | undefined;
  let losses = 0;

  function become(next: ConnectionState): void {
    state = next;
    // Whatever a listener throws is its own matter.
    changes.dispatchEvent(new Event('change'));
  }

  /** What has failed stays so until the worker is heard: that a port is opened again tells nothing new. */
  function expect(): void {
    if (state.status !== 'failed') become({ status: 'connecting' });
  }

  function open(): void {
    if (port !== undefined || reopening !== undefined) return;
    let opened: FramePort;
    try {
      opened = batchFrames(connect());
    } catch {
      become({ status: 'failed', reason: 'unreachable' });
      for (const { giveUp } of exchanges.values()) giveUp('UNREACHABLE');
      return;
    }
    port = opened;
    silence = setTimeout(forsake, PATIENCE);
    opened.onMessage((message) => {
      if (port === opened) hear(message as ServerFrame);
    });
    opened.onDisconnect(() => {
      if (port === opened) lose();
    });
    for (const { transmit } of exchanges.values()) transmit();
    expect();
  }

  function hear(frame: ServerFrame): void {
    clearTimeout(silence);
    // A worker that greets, lets streams go on and dies, again and again, crashes all the same.
    if (frame.kind !== 'ready' && frame.kind !== 'next') losses = 0;
    if (frame.kind !== 'ready') exchanges.get(frame.id)?.receive(frame);
    if (state.status !== 'awake') become({ status: 'awake', roundTrip: undefined });
  }

  function lose(failure?: 'silent'): void {
    clearTimeout(silence);
    port = undefined;
    losses += 1;
    const isNeeded = tellLost();
    if (failure !== undefined) become({ status: 'failed', reason: failure });
    else if (isNeeded && losses >= CRASHES) become({ status: 'failed', reason: 'crashing' });
    else if (isNeeded) expect();
    else if (state.status !== 'failed') become({ status: 'asleep' });

    if (isNeeded) reopen();
    else losses = 0;
  }

  /** Tells every exchange that there is no port. Says whether one still waits for an answer, for which one is opened. */
  function tellLost(): boolean {
    return [...exchanges.values()].map((exchange) => exchange.lose()).includes(true);
  }

  /** Nothing was ever heard over this port. */
  function forsake(): void {
    port?.disconnect();
    lose('silent');
  }

  function reopen(): void {
    if (losses <= RETRIES_AT_ONCE) {
      open();
      return;
    }
    reopening = setTimeout(() => {
      reopening = undefined;
      if (tellLost()) open();
      else losses = 0;
    }, backoff(losses));
  }

  function resume(): void {
    if (exchanges.size > 0) open();
  }

  return {
    open,
    isOpen: () => port !== undefined,
    post: (frame) => port?.post(frame),
    noteRoundTrip: (roundTrip) => become({ status: 'awake', roundTrip }),
    resume,
    reconnect: () => {
      clearTimeout(reopening);
      reopening = undefined;
      losses = 0;
      port?.disconnect();
      if (port !== undefined) lose();
      resume();
    },
    state: () => state,
    onChange: (listener) => {
      changes.addEventListener('change', listener);
      return () => changes.removeEventListener('change', listener);
    },
  };
}
