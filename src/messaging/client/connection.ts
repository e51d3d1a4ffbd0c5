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
 * - `idle`: no call was made yet
 * - `connecting`: a call was made, and no frame was received over this port yet
 * - `awake`: the background serves this page; `roundTrip` is the duration of the last call in ms
 * - `asleep`: the browser stopped the background while no call waited; the next call starts it
 * - `failed`: `unreachable`, this page can no longer reach a background and must be reloaded; `crashing`, the
 *   background stops before it answers; `silent`, the background neither answers nor confirms a call
 */
export type ConnectionState =
  | { readonly status: 'idle' | 'connecting' | 'asleep' }
  | { readonly status: 'awake'; readonly roundTrip: number | undefined }
  | { readonly status: 'failed'; readonly reason: 'unreachable' | 'crashing' | 'silent' };

/** One call or stream of the page, from its first frame to its last, over as many ports as that takes. */
export interface PendingCall {
  /** A port is open: sends the call over it. */
  readonly onPortOpen: () => void;
  /** The port was lost. Returns whether another must be opened at once, even if that wakes the background. */
  readonly onPortLost: () => boolean;
  readonly onFrame: (frame: AnswerFrame) => void;
  /** Ends the call: no port can be opened any more, or the browser refuses its frame as too large. */
  readonly cancel: (reason: 'UNREACHABLE' | 'TOO_LARGE') => void;
}

/** The one port of a page, and the calls that are made over it. */
export type Connection = ReturnType<typeof createConnection>;

/** One port, from its opening to its loss. */
interface Session {
  readonly port: Port;
  readonly post: (frame: ClientFrame) => void;
  /** When its first frame was received, in ms since 1970. */
  heardAt?: number;
}

/** Losses in a row, with no call answered in between, after which the background is `crashing`. */
const CRASHES = 3;

/**
 * Milliseconds in which the background must answer a call or confirm that it arrived, its start included. Some backgrounds
 * never do: after an update (crbug 40805401), or when they failed to register, with open ports (Chromium). Others need
 * longer, for much input on a busy machine: after each loss they get twice the time, up to 40 s.
 */
const silenceLimit = (losses: number): number => 5_000 * 2 ** Math.min(losses, 3);

/** Milliseconds before the port is opened again after so many losses in a row. Timers of a hidden page wait up to 1 s. */
const backoff = (losses: number): number => (losses <= 8 ? 0 : Math.min(2 ** losses, 2_000));

/**
 * Keeps one port to the background. It is opened for work, and never to keep the background awake.
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
 *   any state ── connect throws ────────────────────────────────▶ failed: unreachable
 * ```
 * Also: `connecting` becomes `asleep` when it is lost and nothing waits, and `awake` can become `failed: crashing`.
 * A failed connection keeps trying while a call waits, and stays `failed` until a frame arrives.
 */
export function createConnection(connect: Connect, onOpen: () => void) {
  const calls = new Map<number, PendingCall>();
  const changes = new EventTarget();
  let state: ConnectionState = { status: 'idle' };
  let session: Session | undefined;
  let reopening: ReturnType<typeof setTimeout> | undefined;
  /** Runs while a call that was posted is not known to have arrived. */
  const silences = new Map<number, ReturnType<typeof setTimeout>>();
  let onAcknowledged = (_id: number): void => {};
  let losses = 0;
  let lastId = 0;

  function setState(next: ConnectionState): void {
    // A listener may make a call on every change: an equal state must not be a change.
    if (JSON.stringify(next) === JSON.stringify(state)) return;
    state = next;
    // An exception in a listener is reported and ends no call.
    changes.dispatchEvent(new Event('change'));
  }

  function open(): void {
    if (session !== undefined || reopening !== undefined) return;
    let port: Port;
    try {
      port = connect();
    } catch {
      setState({ status: 'failed', reason: 'unreachable' });
      for (const call of calls.values()) call.cancel('UNREACHABLE');
      return;
    }
    const outbox = createOutbox<ClientFrame>(port, ({ id }) => calls.get(id)?.cancel('TOO_LARGE'));
    const opened: Session = { port, post: outbox };
    session = opened;
    port.onMessage((message) => {
      if (session !== opened) return;
      opened.heardAt ??= Date.now();
      for (const frame of message as readonly ServerFrame[]) onFrame(frame);
    });
    port.onDisconnect(() => {
      if (session === opened) onPortLost();
    });
    for (const call of calls.values()) call.onPortOpen();
    onOpen();
    if (state.status !== 'failed' && calls.size > 0) setState({ status: 'connecting' });
  }

  function post(frame: ClientFrame): void {
    if (session === undefined) return;
    const isOpening = frame.kind === 'query' || frame.kind === 'mutation' || frame.kind === 'subscription';
    if (isOpening) silences.set(frame.id, setTimeout(onSilence, silenceLimit(losses)));
    session.post(frame);
  }

  function stopSilence(id: number): void {
    clearTimeout(silences.get(id));
    silences.delete(id);
  }

  function onFrame(frame: ServerFrame): void {
    stopSilence(frame.id);
    if (frame.kind === 'acked') onAcknowledged(frame.id);
    else if (frame.kind !== 'ready') {
      // A background that starts, resumes streams and dies, again and again, is crashing all the same.
      if (frame.kind !== 'next') losses = 0;
      calls.get(frame.id)?.onFrame(frame);
    }
    if (state.status !== 'awake') setState({ status: 'awake', roundTrip: undefined });
  }

  /** A call was posted over this port, and the background has not even confirmed that it arrived. */
  function onSilence(): void {
    session?.port.disconnect();
    onPortLost('silent');
  }

  function onPortLost(failure?: 'silent'): void {
    for (const id of silences.keys()) stopSilence(id);
    session = undefined;
    losses += 1;
    const isNeeded = isPortNeeded();
    if (failure !== undefined) setState({ status: 'failed', reason: failure });
    else if (isNeeded && losses >= CRASHES) setState({ status: 'failed', reason: 'crashing' });
    else if (state.status !== 'failed') setState({ status: isNeeded ? 'connecting' : 'asleep' });

    if (!isNeeded) losses = 0;
    else if (backoff(losses) === 0) open();
    else reopening = setTimeout(onBackoff, backoff(losses));
  }

  function onBackoff(): void {
    reopening = undefined;
    if (isPortNeeded()) open();
    else losses = 0;
  }

  /** Notifies every call that the port is lost. Returns whether one of them still waits for an answer. */
  function isPortNeeded(): boolean {
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
    /** Names this page for as long as it lives. */
    page: crypto.randomUUID(),
    nextId: (): number => (lastId += 1),
    /** Adds a call, which is sent over the open port, or over one that is opened for it. */
    add: (id: number, call: PendingCall): void => {
      calls.set(id, call);
      if (session === undefined) return open();
      call.onPortOpen();
      if (state.status === 'idle' || state.status === 'asleep') setState({ status: 'connecting' });
    },
    remove: (id: number): void => {
      stopSilence(id);
      calls.delete(id);
    },
    isOpen: (): boolean => session !== undefined,
    /** Posts a frame; without a port it is lost. */
    post,
    /** A call was answered after so many ms. */
    setRoundTrip: (roundTrip: number): void => setState({ status: 'awake', roundTrip }),
    /** Sets the listener for outcomes that the background has dropped. */
    onAcknowledged: (listener: (id: number) => void): void => void (onAcknowledged = listener),
    /** Opens a port, which starts a background that sleeps. */
    wake: open,
    /** Opens a port for streams that rest, if there are any, and replaces one to a background before `startedAt`. */
    resume,
    /** As `resume`, over a new port whatever became of the old one, and with losses counted from 0. */
    reconnect: (): void => {
      clearTimeout(reopening);
      reopening = undefined;
      losses = 0;
      session?.port.disconnect();
      if (session !== undefined) onPortLost();
      resume();
    },
    state: (): ConnectionState => state,
    /** Calls `listener` after every change. Returns a function that stops it. */
    onChange: (listener: () => void): (() => void) => {
      changes.addEventListener('change', listener);
      return () => changes.removeEventListener('change', listener);
    },
  };
}
