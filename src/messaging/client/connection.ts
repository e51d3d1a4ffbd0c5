import { CallError, type ErrorReport } from '../errors.ts';
import {
  type AnswerFrame,
  type ClientFrame,
  type Connect,
  createOutbox,
  type Port,
  type ServerFrame,
} from '../wire.ts';

/**
 * The state of a page's connection to the background.
 *
 * - `idle`: no call was made, or all were aborted before a frame was received
 * - `connecting`: a call was made, and no frame was received over this port
 * - `awake`: the background serves this page; `roundTrip` is the duration of the last call in ms
 * - `asleep`: the port was closed while no call waited, usually because the browser stopped the background; the next call
 *   starts it
 * - `failed`: the page can no longer reach the background and must be reloaded (`unreachable`), the background does not serve
 *   this page (`refused`), it stops before it answers (`crashing`), or it neither answers nor confirms a call (`silent`)
 */
export type ConnectionState =
  | { readonly status: 'idle' | 'connecting' | 'asleep' }
  | { readonly status: 'awake'; readonly roundTrip: number | undefined }
  | { readonly status: 'failed'; readonly reason: 'unreachable' | 'refused' | 'crashing' | 'silent' };

/** One call or stream of the page, from its first frame to its last. It may need several ports. */
export interface PendingCall {
  /** Sends the call over a port that was opened. */
  readonly onPortOpen: () => void;
  /** Called when the port is lost. Returns `true` if the call needs another port now, even if that wakes the background. */
  readonly onPortLost: () => boolean;
  readonly onFrame: (frame: AnswerFrame) => void;
  /** Ends the call: no port can be opened, or the background refuses the page. */
  readonly cancel: (reason: 'UNREACHABLE' | 'FORBIDDEN') => void;
}

/** Returns the error of a call that ends without an answer, after this number of attempts. */
export function unanswered(
  name: string,
  code: 'TIMEOUT' | 'ABORTED' | 'UNREACHABLE' | 'FORBIDDEN',
  attempts: number,
): CallError {
  // A page is refused before its calls are read.
  if (code === 'FORBIDDEN') return new CallError(name, { code }, attempts > 1 ? 'unknown' : 'handled');
  return new CallError(name, { code }, attempts > 0 ? 'unknown' : 'not-sent');
}

/** Returns the error that the background has answered. If an earlier attempt may have taken effect, it is in doubt. */
export function answeredWith(name: string, report: ErrorReport, isInDoubt: boolean): CallError {
  return new CallError(name, report, isInDoubt ? 'unknown' : 'handled');
}

/** The one port of a page, and the calls that are made over it. */
export type Connection = ReturnType<typeof createConnection>;

/** One port, from its opening to its loss. */
interface Session {
  readonly port: Port;
  readonly post: (frame: ClientFrame) => void;
  /** Time of the first frame that was received over it, in ms since 1970. */
  heardAt?: number;
}

/** Number of losses, without an answer to a call in between, after which the background counts as `crashing`. */
const CRASHES = 3;

/**
 * Time limit in ms for the background to start and to confirm or answer a call. In Chromium, a background can keep its
 * ports open and never answer, after an update (crbug 40805401) or when it failed to register. The limit doubles with each
 * loss, because a busy background also has to read the calls that were sent over the lost ports.
 */
const silenceLimit = (losses: number): number => 5_000 * 2 ** Math.min(losses, 7);

/**
 * Milliseconds from the loss of a port to the check of the extension's id. Chromium removes the id after it has closed the
 * ports.
 */
const ORPHAN_DELAY = 500;

/** Returns a random id. `crypto.randomUUID` is missing in pages that were loaded over plain HTTP. */
const createId = (): string =>
  [...crypto.getRandomValues(new Uint32Array(4))].map((part) => part.toString(36)).join('');

/**
 * Milliseconds before the port is opened again. The first 8 attempts do not wait, because a timer of a hidden page can be 1 s
 * late.
 */
const backoff = (losses: number): number => (losses <= 8 ? 0 : Math.min(2 ** losses, 2_000));

/**
 * Creates the connection of a page. It opens its port when there is work, and never to keep the background awake.
 *
 * ```
 *           a call               any frame            lost, nothing waits
 *   idle ───────────▶ connecting ──────────▶ awake ────────────────────────▶ asleep
 *                      ▲  ▲  │                 │ lost, a call waits            │
 *                      │  └──┼─────────────────┘                               │
 *                      └─────┼──────────── a call, or resume ──────────────────┘
 *                            │
 *                            ├─ lost 3 times without an answer ─▶ failed: crashing ─┐
 *                            └─ a call unconfirmed for 5 s ─────▶ failed: silent  ──┼─ any frame ─▶ awake
 *   any state ── connect throws, or the extension is gone ──────▶ failed: unreachable
 *   connecting ─ the background does not serve this page ────────▶ failed: refused
 * ```
 * Not drawn, for example: `connecting` becomes `asleep` if the port is lost and nothing waits, it becomes the state before it
 * if its calls are aborted, and `awake` can fail too.
 * A failed connection keeps trying while a call waits, and stays `failed` until a frame arrives.
 */
export function createConnection(connect: Connect) {
  const calls = new Map<number, PendingCall>();
  const changes = new EventTarget();
  let state: ConnectionState = { status: 'idle' };
  let session: Session | undefined;
  let reopening: ReturnType<typeof setTimeout> | undefined;
  /** Calls that were posted over this port and not confirmed. The background also confirms those that have ended since. */
  const unconfirmed = new Set<number>();
  /** Runs while there are such calls, from the last frame. */
  let silence: ReturnType<typeof setTimeout> | undefined;
  let losses = 0;
  let lastId = 0;
  /** The state when no call waits and the background is not known to be awake. */
  let resting: 'idle' | 'asleep' = 'idle';

  function setState(next: ConnectionState): void {
    // A listener may make a call on every change, so an equal state must not count as a change.
    if (JSON.stringify(next) === JSON.stringify(state)) return;
    state = next;
    // An exception in a listener is reported, and does not end a call.
    changes.dispatchEvent(new Event('change'));
  }

  function open(): void {
    if (session !== undefined || reopening !== undefined) return;
    let port: Port;
    try {
      port = connect();
    } catch {
      return fail('unreachable');
    }
    const opened: Session = { port, post: createOutbox(port) };
    session = opened;
    port.onMessage((message) => {
      if (session !== opened) return;
      opened.heardAt ??= Date.now();
      for (const frame of message as readonly ServerFrame[]) onFrame(frame);
    });
    port.onDisconnect(() => {
      if (session !== opened) return;
      onPortLost();
      setTimeout(() => {
        // A page that only follows subscriptions would not open another port, and so would not notice.
        if (session === undefined && port.isOrphaned?.() === true) fail('unreachable');
      }, ORPHAN_DELAY);
    });
    // Listed first, because a listener of the connection may add calls, which send themselves.
    const earlier = [...calls.values()];
    for (const call of earlier) call.onPortOpen();
    if (state.status !== 'failed' && calls.size > 0) setState({ status: 'connecting' });
  }

  /** Ends all calls, because no port can serve them. A later call tries again. */
  function fail(reason: 'unreachable' | 'refused'): void {
    forgetPort();
    setState({ status: 'failed', reason });
    for (const call of calls.values()) call.cancel(reason === 'refused' ? 'FORBIDDEN' : 'UNREACHABLE');
  }

  /** Posts a frame. Returns `false` without a port. */
  function post(frame: ClientFrame): boolean {
    if (session === undefined) return false;
    if (frame.kind !== 'pull' && frame.kind !== 'abort') {
      unconfirmed.add(frame.id);
      silence ??= setTimeout(onSilence, silenceLimit(losses));
    }
    session.post(frame);
    return true;
  }

  function onConfirmed(id: number): void {
    unconfirmed.delete(id);
    clearTimeout(silence);
    silence = unconfirmed.size === 0 ? undefined : setTimeout(onSilence, silenceLimit(losses));
  }

  function forgetPort(): void {
    session = undefined;
    unconfirmed.clear();
    clearTimeout(silence);
    silence = undefined;
  }

  /** Replaces the port, because the background has not confirmed a call in time. */
  function onSilence(): void {
    session?.port.disconnect();
    onPortLost('silent');
  }

  function onFrame(frame: ServerFrame): void {
    if (frame.kind === 'refused') return fail('refused');
    onConfirmed(frame.id);
    if (frame.kind !== 'ready') {
      // Values of a stream do not count, because a background that resumes streams and dies each time is crashing.
      if (frame.kind !== 'next') losses = 0;
      calls.get(frame.id)?.onFrame(frame);
    }
    if (state.status !== 'awake') setState({ status: 'awake', roundTrip: undefined });
  }

  function onPortLost(failure?: 'silent'): void {
    forgetPort();
    resting = 'asleep';
    losses += 1;
    // Streams that have had a value wait until the background is awake again. A silent one does not sleep, so it never wakes.
    const isNeeded = notifyCalls() || (failure === 'silent' && calls.size > 0);
    if (failure !== undefined) setState({ status: 'failed', reason: failure });
    else if (isNeeded && losses >= CRASHES) setState({ status: 'failed', reason: 'crashing' });
    else if (state.status !== 'failed') setState({ status: isNeeded ? 'connecting' : 'asleep' });

    if (!isNeeded) losses = 0;
    else if (backoff(losses) === 0) open();
    else reopening = setTimeout(onBackoff, backoff(losses));
  }

  function onBackoff(): void {
    reopening = undefined;
    if (notifyCalls()) open();
    else losses = 0;
  }

  /** Notifies every call that the port is lost. Returns `true` if one of them needs another port now. */
  function notifyCalls(): boolean {
    return [...calls.values()].map((call) => call.onPortLost()).includes(true);
  }

  function resume(startedAt = 0): void {
    // Chromium keeps a port open when its background dies, if another page listens to `onConnect`.
    if (session?.heardAt !== undefined && session.heardAt < startedAt) {
      session.port.disconnect();
      onPortLost();
    }
    if (calls.size > 0) open();
  }

  return {
    /** Identifies this page. */
    page: createId(),
    nextId: (): number => (lastId += 1),
    /** Adds a call, and sends it over the open port or a new one. */
    add: (id: number, call: PendingCall): void => {
      calls.set(id, call);
      if (session === undefined) return open();
      call.onPortOpen();
      if (state.status === 'idle' || state.status === 'asleep') setState({ status: 'connecting' });
    },
    remove: (id: number): void => {
      calls.delete(id);
      // The last call was aborted before any frame arrived.
      if (calls.size === 0 && state.status === 'connecting' && session?.heardAt === undefined)
        setState({ status: resting });
    },
    post,
    /** Sets the duration of the last call in ms. */
    setRoundTrip: (roundTrip: number): void => setState({ status: 'awake', roundTrip }),
    /** Opens a port, which starts a sleeping background. */
    wake: open,
    /** Opens a port if calls or streams wait for one. Closes a port to a background that started before `startedAt`. */
    resume,
    /** Closes the port even if it still works, forgets earlier losses, and then does the same as `resume`. */
    reconnect: (): void => {
      clearTimeout(reopening);
      reopening = undefined;
      losses = 0;
      session?.port.disconnect();
      if (session !== undefined) onPortLost();
      resume();
    },
    state: (): ConnectionState => state,
    /** Calls `listener` after every change. Returns a function that removes it. */
    onChange: (listener: () => void): (() => void) => {
      changes.addEventListener('change', listener);
      return () => changes.removeEventListener('change', listener);
    },
  };
}
