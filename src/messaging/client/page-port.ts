import { type ClientFrame, type Connect, createOutbox, type Port, type ServerFrame } from '../wire/frames.ts';

interface PagePortOptions {
  readonly onOpen: () => void;
  readonly onFrame: (frame: ServerFrame) => void;
  /**
   * Called once when a port is lost, unless `close` was called. Returns `true` if another one is needed now.
   *
   * @param losses number of losses without an answer to a call in between
   * @param isSilent the port was closed, because the background did not confirm a call in time
   */
  readonly onLost: (losses: number, isSilent: boolean) => boolean;
  /** Returns `true` if a port is still needed. */
  readonly isNeeded: () => boolean;
  /** This page can no longer reach the background. */
  readonly onUnreachable: () => void;
}

/**
 * Time limit in ms for the background to start and to confirm or answer a call. In Chromium, a background can keep its
 * ports open and never answer, after an update (crbug 40805401) or when it failed to register. The limit doubles with each
 * loss, because a busy background also has to read the calls that were sent over the lost ports.
 */
const silenceLimit = (losses: number): number => 5_000 * 2 ** Math.min(losses, 7);

/**
 * Milliseconds from the loss of a port to the checks of the extension's id. Chromium removes the id after it has closed the
 * ports: on an idle machine within half a second, on a busy one some seconds later.
 */
const ORPHAN_DELAYS = [500, 3_000, 20_000];

/**
 * Milliseconds before the port is opened again. The first 8 attempts do not wait, because a timer of a hidden page can be 1 s
 * late.
 */
const backoff = (losses: number): number => (losses <= 8 ? 0 : Math.min(2 ** losses, 2_000));

/** Keeps at most one port. It replaces one that is lost while it is needed, and one over which no call is confirmed in time. */
export function createPagePort(
  connect: Connect,
  { onOpen, onFrame, onLost, isNeeded, onUnreachable }: PagePortOptions,
) {
  let current: OpenPort | undefined;
  let reopening: ReturnType<typeof setTimeout> | undefined;
  let losses = 0;

  function open(): void {
    if (current !== undefined || reopening !== undefined) return;
    try {
      current = openPort(connect, {
        limit: () => silenceLimit(losses),
        onFrame: onPortFrame,
        onLost: onPortLost,
      });
    } catch {
      return onUnreachable();
    }
    onOpen();
  }

  function onPortFrame(frame: ServerFrame): void {
    // Values of a stream do not count, because a background that resumes streams and dies each time is crashing.
    if (frame.kind === 'value' || frame.kind === 'end' || frame.kind === 'error') losses = 0;
    onFrame(frame);
  }

  function onPortLost({ isOrphaned }: Port, isSilent: boolean): void {
    current = undefined;
    losses += 1;
    if (!onLost(losses, isSilent)) losses = 0;
    else if (backoff(losses) === 0) open();
    else reopening = setTimeout(reopen, backoff(losses));
    if (isSilent) return;
    const check = (): void => {
      // A page that only follows subscriptions would not open another port, and so would not notice.
      if (current === undefined && isOrphaned?.() === true) onUnreachable();
    };
    for (const delay of ORPHAN_DELAYS) setTimeout(check, delay);
  }

  function reopen(): void {
    reopening = undefined;
    if (isNeeded()) open();
    else losses = 0;
  }

  return {
    isOpen: (): boolean => current !== undefined,

    /** Returns `true` if a frame was received over the port before the background with this age has started, in ms. */
    isOlderThan: (age: number): boolean => {
      const heardAt = current?.heardAt();
      return heardAt !== undefined && performance.now() - heardAt > age;
    },

    /** Opens a port, unless one is open or will be opened after a pause. */
    open,

    /** Closes the port, and forgets earlier losses and the pause after them. */
    close: (): void => {
      clearTimeout(reopening);
      reopening = undefined;
      losses = 0;
      current?.close();
      current = undefined;
    },

    /** Posts a frame. Returns `false` without a port. */
    post: (frame: ClientFrame): boolean => {
      current?.post(frame);
      return current !== undefined;
    },
  };
}

interface OpenPortOptions {
  /** Returns the time limit of the next frame while a call is not confirmed, in ms. */
  readonly limit: () => number;
  readonly onFrame: (frame: ServerFrame) => void;
  /** Called once when the port is lost, unless `close` was called. */
  readonly onLost: (port: Port, isSilent: boolean) => void;
}

type OpenPort = ReturnType<typeof openPort>;

/** Opens a port, which closes itself if the background is silent. Throws if the page can no longer reach the background. */
function openPort(connect: Connect, { limit, onFrame, onLost }: OpenPortOptions) {
  const port = connect();
  const post = createOutbox(port);
  /** Calls that were posted and not confirmed. The background also confirms those that have ended since. */
  const unconfirmed = new Set<number>();
  /** Runs while there are such calls, from the last frame. */
  let silence: ReturnType<typeof setTimeout> | undefined;
  /** Time of the first frame that was received, in ms of `performance.now`. */
  let heardAt: number | undefined;
  let isClosed = false;

  function close(): void {
    isClosed = true;
    clearTimeout(silence);
    port.disconnect();
  }

  /** Starts the time limit of the next frame again. */
  function limitSilence(): void {
    clearTimeout(silence);
    silence = unconfirmed.size === 0 ? undefined : setTimeout(onSilence, limit());
  }

  function onSilence(): void {
    close();
    onLost(port, true);
  }

  port.onMessage((message) => {
    for (const frame of message as readonly ServerFrame[]) {
      if (isClosed) return;
      heardAt ??= performance.now();
      unconfirmed.delete(frame.id);
      limitSilence();
      onFrame(frame);
    }
  });
  port.onDisconnect(() => {
    if (isClosed) return;
    isClosed = true;
    clearTimeout(silence);
    onLost(port, false);
  });

  return {
    heardAt: (): number | undefined => heardAt,
    close,
    post: (frame: ClientFrame): void => {
      if (frame.kind !== 'pull' && frame.kind !== 'abort') {
        unconfirmed.add(frame.id);
        if (silence === undefined) limitSilence();
      }
      post(frame);
    },
  };
}
