/**
 * One end of a connection between a page and the worker. Messages arrive whole and in order, or not at all; what was
 * posted to an end that is gone is lost without a word.
 */
export interface Port {
  /**
   * Says whether the wire took it. Never throws: a message to an end that is gone, or one that is too large, is lost.
   */
  readonly post: (message: unknown) => boolean;
  readonly onMessage: (listener: (message: unknown) => void) => void;
  /** The other end is gone. Not called after this end's own `disconnect`. */
  readonly onDisconnect: (listener: () => void) => void;
  readonly disconnect: () => void;
}

/** Opens a port to the worker, which is started for it if it sleeps. Throws when this page can reach none any more. */
export type Connect = () => Port;

/** What the browser says about the other end of a port; every field may be missing. */
export interface Sender {
  readonly id?: string | undefined;
  readonly origin?: string | undefined;
  readonly url?: string | undefined;
}

/** A port as the worker receives it. */
export interface IncomingPort extends Port {
  readonly sender: Sender | undefined;
}
