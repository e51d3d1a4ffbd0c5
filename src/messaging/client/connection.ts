import { CallError } from '../wire/errors.ts';
import type { AnswerFrame, Connect, ServerFrame } from '../wire/frames.ts';
import { createPagePort } from './page-port.ts';

/**
 * The state of a page's connection to the background.
 *
 * - `asleep`: no call waits, and the background has usually been stopped by the browser; the next call starts it
 * - `connecting`: a call was made, and no frame was received over this port
 * - `awake`: the background serves this page
 * - `failed`: the page can no longer reach the background and must be reloaded (`unreachable`), the background does not serve
 *   this page (`refused`), it stops before it answers (`crashing`), or it neither answers nor confirms a call (`silent`)
 */
export type ConnectionState =
  | { readonly status: 'asleep' | 'connecting' | 'awake' }
  | { readonly status: 'failed'; readonly reason: 'unreachable' | 'refused' | 'crashing' | 'silent' };

/** One call or stream of the page, from its first frame to its last. It may need several ports. */
export interface PendingCall {
  /** Sends the call over a port that was opened. An earlier port is lost. */
  readonly onPortOpen: () => void;
  /** Returns `true` if the call needs a port now, even if that wakes the background. */
  readonly needsPort: () => boolean;
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

/** The one port of a page, and the calls that are made over it. */
export type Connection = ReturnType<typeof createConnection>;

/** Number of losses, without an answer to a call in between, after which the background counts as `crashing`. */
const CRASHES = 3;

/** Returns a random id. `crypto.randomUUID` is missing in pages that were loaded over plain HTTP. */
const createId = (): string =>
  [...crypto.getRandomValues(new Uint32Array(4))].map((part) => part.toString(36)).join('');

/**
 * Creates the connection of a page. It opens its port when there is work, and never to keep the background awake.
 *
 * ```
 *          a call, or resume             any frame            lost, nothing waits
 *   asleep ─────────────────▶ connecting ──────────▶ awake ──────────────────────▶ asleep
 *                                ▲    │                │ lost, a call waits
 *                                └────┼────────────────┘
 *                                     ├─ lost 3 times without an answer ─▶ failed: crashing ─┐
 *                                     └─ a call unconfirmed for 5 s ─────▶ failed: silent  ──┴─ any frame ─▶ awake
 *   any state ── connect throws, or the extension is gone ──────▶ failed: unreachable
 *   connecting ─ the background does not serve this page ────────▶ failed: refused
 * ```
 * Not drawn, for example: `connecting` becomes `asleep` if its calls are aborted, and `awake` can fail too.
 * A failed connection keeps trying while a call waits, and stays `failed` until a frame arrives.
 */
export function createConnection(connect: Connect) {
  const calls = new Map<number, PendingCall>();
  const changes = new EventTarget();
  let state: ConnectionState = { status: 'asleep' };
  let lastId = 0;
  const isNeeded = (): boolean => [...calls.values()].some((call) => call.needsPort());
  const port = createPagePort(connect, {
    onOpen,
    onFrame,
    onLost,
    isNeeded,
    onUnreachable: () => fail('unreachable'),
  });

  function setState(next: ConnectionState): void {
    // A listener may make a call on every change, so an equal state must not count as a change.
    if (JSON.stringify(next) === JSON.stringify(state)) return;
    state = next;
    // An exception in a listener is reported, and does not end a call.
    changes.dispatchEvent(new Event('change'));
  }

  function onOpen(): void {
    // Listed first, because a listener of the connection may add calls, which send themselves.
    const earlier = [...calls.values()];
    for (const call of earlier) call.onPortOpen();
    if (state.status !== 'failed' && calls.size > 0) setState({ status: 'connecting' });
  }

  /** Ends all calls, because no port can serve them. A later call tries again. */
  function fail(reason: 'unreachable' | 'refused'): void {
    port.close();
    setState({ status: 'failed', reason });
    for (const call of calls.values()) call.cancel(reason === 'refused' ? 'FORBIDDEN' : 'UNREACHABLE');
  }

  function onFrame(frame: ServerFrame): void {
    if (frame.kind === 'refused') return fail('refused');
    if (state.status !== 'awake') setState({ status: 'awake' });
    if (frame.kind !== 'ready') calls.get(frame.id)?.onFrame(frame);
  }

  function onLost(losses: number, isSilent: boolean): boolean {
    // Streams that have had a value wait until the background is awake again. A silent one does not sleep, so it never wakes.
    const isReopened = isNeeded() || (isSilent && calls.size > 0);
    if (isSilent) setState({ status: 'failed', reason: 'silent' });
    else if (isReopened && losses >= CRASHES) setState({ status: 'failed', reason: 'crashing' });
    else if (state.status !== 'failed') setState({ status: isReopened ? 'connecting' : 'asleep' });
    return isReopened;
  }

  /** Closes the port even if it still works, and forgets earlier losses. Opens another one if calls or streams wait. */
  function reconnect(): void {
    port.close();
    if (state.status !== 'failed') setState({ status: calls.size > 0 ? 'connecting' : 'asleep' });
    if (calls.size > 0) port.open();
  }

  return {
    /** Identifies this page. */
    page: createId(),
    nextId: (): number => (lastId += 1),
    /** Adds a call, and sends it over the open port or a new one. */
    add: (id: number, call: PendingCall): void => {
      calls.set(id, call);
      if (!port.isOpen()) return port.open();
      call.onPortOpen();
      if (state.status === 'asleep') setState({ status: 'connecting' });
    },
    remove: (id: number): void => {
      calls.delete(id);
      // The last call was aborted before any frame arrived.
      if (calls.size === 0 && state.status === 'connecting') setState({ status: 'asleep' });
    },
    /** Posts a frame. Returns `false` without a port. */
    post: port.post,
    /** Opens a port, which starts a sleeping background. */
    wake: port.open,
    /** Opens a port if calls or streams wait for one. Closes a port to a background that started before `startedAt`. */
    resume: (startedAt = 0): void => {
      // Chromium keeps a port open when its background dies, if another page listens to `onConnect`. Ages are compared, because
      // the clock may have been set back since the port was opened.
      if (port.isOlderThan(Date.now() - startedAt)) reconnect();
      else if (calls.size > 0) port.open();
    },
    reconnect,
    state: (): ConnectionState => state,
    /** Calls `listener` after every change. Returns a function that removes it. */
    onChange: (listener: () => void): (() => void) => {
      changes.addEventListener('change', listener);
      return () => changes.removeEventListener('change', listener);
    },
  };
}
