import { type ClientFrame, type Connect, createOutbox, type Port, type ServerFrame } from '../wire/frames.ts';

interface LinkOptions {
  readonly onOpen: () => void;
  readonly onFrame: (frame: ServerFrame) => void;
  /**
   * The port is lost. Returns `true` if another one is needed now.
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

/** One port, from its opening to its loss. */
interface Session {
  readonly port: Port;
  readonly post: (frame: ClientFrame) => void;
  /** Time of the first frame that was received over it, in ms since 1970. */
  heardAt?: number;
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
export function createLink(
  connect: Connect,
  { onOpen, onFrame, onLost, isNeeded, onUnreachable }: LinkOptions,
) {
  let session: Session | undefined;
  let reopening: ReturnType<typeof setTimeout> | undefined;
  let losses = 0;
  const silence = createSilence(() => {
    close();
    onPortLost(true);
  });

  function open(): void {
    if (session !== undefined || reopening !== undefined) return;
    let port: Port;
    try {
      port = connect();
    } catch {
      return onUnreachable();
    }
    const opened: Session = { port, post: createOutbox(port) };
    session = opened;
    port.onMessage((message) => {
      if (session !== opened) return;
      opened.heardAt ??= Date.now();
      for (const frame of message as readonly ServerFrame[]) onPortFrame(frame);
    });
    port.onDisconnect(() => {
      if (session !== opened) return;
      onPortLost();
      const check = (): void => {
        // A page that only follows subscriptions would not open another port, and so would not notice.
        if (session === undefined && port.isOrphaned?.() === true) onUnreachable();
      };
      for (const delay of ORPHAN_DELAYS) setTimeout(check, delay);
    });
    onOpen();
  }

  function onPortFrame(frame: ServerFrame): void {
    silence.onConfirmed(frame.id, losses);
    // Values of a stream do not count, because a background that resumes streams and dies each time is crashing.
    if (frame.kind === 'value' || frame.kind === 'end' || frame.kind === 'error') losses = 0;
    onFrame(frame);
  }

  function close(): void {
    session?.port.disconnect();
    session = undefined;
    silence.clear();
  }

  function onPortLost(isSilent = false): void {
    session = undefined;
    silence.clear();
    losses += 1;
    if (!onLost(losses, isSilent)) losses = 0;
    else if (backoff(losses) === 0) open();
    else reopening = setTimeout(onBackoff, backoff(losses));
  }

  function onBackoff(): void {
    reopening = undefined;
    if (isNeeded()) open();
    else losses = 0;
  }

  function replace(): void {
    close();
    onPortLost();
  }

  return {
    isOpen: (): boolean => session !== undefined,
    /** Returns the time of the first frame that was received over this port, in ms since 1970. */
    heardAt: (): number | undefined => session?.heardAt,
    open,
    close,
    /** Closes the port, and opens another one if it is needed. */
    replace,

    /** Forgets earlier losses, and replaces a port that is open. */
    reset: (): void => {
      clearTimeout(reopening);
      reopening = undefined;
      losses = 0;
      if (session !== undefined) replace();
    },

    /** Posts a frame. Returns `false` without a port. */
    post: (frame: ClientFrame): boolean => {
      if (session === undefined) return false;
      if (frame.kind !== 'pull' && frame.kind !== 'abort') silence.onPosted(frame.id, losses);
      session.post(frame);
      return true;
    },
  };
}

/** Calls a function when a call that was posted is not confirmed in time. */
function createSilence(onSilence: () => void) {
  /** Calls that were posted and not confirmed. The background also confirms those that have ended since. */
  const unconfirmed = new Set<number>();
  /** Runs while there are such calls, from the last frame. */
  let timer: ReturnType<typeof setTimeout> | undefined;

  function restart(losses: number): void {
    clearTimeout(timer);
    timer = unconfirmed.size === 0 ? undefined : setTimeout(onSilence, silenceLimit(losses));
  }

  return {
    onPosted: (id: number, losses: number): void => {
      unconfirmed.add(id);
      if (timer === undefined) restart(losses);
    },
    onConfirmed: (id: number, losses: number): void => {
      unconfirmed.delete(id);
      restart(losses);
    },
    clear: (): void => {
      unconfirmed.clear();
      restart(0);
    },
  };
}
