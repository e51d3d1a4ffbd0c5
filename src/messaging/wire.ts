import type { Sender } from './callers.ts';
import type { Kind } from './contract.ts';
import type { ErrorReport } from './errors.ts';

/**
 * One end of a connection between a page and the background. Messages arrive whole and in order, or not at all. A message
 * that is posted after the other end has gone is lost without an error.
 */
export interface Port {
  /** Returns `false`, and has sent nothing, if the browser refuses the message, as one that is too large. */
  readonly post: (message: unknown) => boolean;
  readonly onMessage: (listener: (message: unknown) => void) => void;
  /** The other end is gone. Not called after this end's own `disconnect`. */
  readonly onDisconnect: (listener: () => void) => void;
  readonly disconnect: () => void;
}

/** Opens a port to the background, which is started if it sleeps. Throws when this page can no longer reach one. */
export type Connect = () => Port;

/** A port as the background receives it. */
export interface IncomingPort extends Port {
  readonly sender: Sender | undefined;
}

/** The frame that opens a call or a stream. */
interface Opening<K extends Kind> {
  readonly kind: K;
  /** Numbers the calls of one page; rises by one a call and is kept when a call is sent again. */
  readonly id: number;
  readonly name: string;
  readonly input?: unknown;
  /** 1 when it is sent first, one more whenever it is sent again. */
  readonly attempt: number;
}

/** Has a deadline: `timeout` is the ms that are left until then. */
type QueryFrame = Opening<'query'> & { readonly timeout: number };

/** `page` and `id` identify the mutation, however often it arrives. It was sent at `sentAt`, in ms since 1970. */
export type MutationFrame = Opening<'mutation'> & {
  readonly timeout: number;
  readonly page: string;
  readonly sentAt: number;
};

/** A subscription asks for its first value as well. */
export type OpeningFrame = QueryFrame | MutationFrame | Opening<'subscription'>;

/** A frame from a page. */
export type ClientFrame =
  | OpeningFrame
  /** The consumer of a stream asks for one more value. */
  | { readonly kind: 'pull'; readonly id: number }
  | { readonly kind: 'abort'; readonly id: number; readonly reason: 'TIMEOUT' | 'ABORTED' }
  /** The page will not ask for the outcomes of its mutations up to this one again. */
  | { readonly kind: 'ack'; readonly id: number; readonly page: string };

/** A frame from the background. `value` and `error` end a call, `end` and `error` a stream. */
export type ServerFrame =
  | AnswerFrame
  /** A call or stream has arrived. Sent if it is not answered within a moment. */
  | { readonly kind: 'ready'; readonly id: number }
  /** The outcomes up to this mutation are dropped. */
  | { readonly kind: 'acked'; readonly id: number };

export type AnswerFrame =
  | { readonly kind: 'value'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'next'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'end'; readonly id: number }
  | { readonly kind: 'error'; readonly id: number; readonly error: ErrorReport };

/** The frames in a message from a page. Whatever is not a valid frame is ignored. Inputs are still unread. */
export function parseClientFrames(message: unknown): readonly ClientFrame[] {
  return Array.isArray(message) ? message.filter(isClientFrame) : [];
}

function isClientFrame(frame: unknown): frame is ClientFrame {
  if (typeof frame !== 'object' || frame === null) return false;
  const { id, kind, name, attempt, timeout, page, sentAt, reason } = frame as Record<string, unknown>;
  if (!isCount(id)) return false;
  if (kind === 'pull') return true;
  if (kind === 'abort') return reason === 'TIMEOUT' || reason === 'ABORTED';
  if (kind === 'ack') return isText(page);
  if (!isText(name) || !isCount(attempt)) return false;
  if (kind === 'subscription') return true;
  if (!isCount(timeout)) return false;
  return kind === 'query' || (kind === 'mutation' && isText(page) && isCount(sentAt));
}

/** No name and no page id is longer. */
const isText = (value: unknown): boolean =>
  typeof value === 'string' && value.length > 0 && value.length <= 100;

const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) > 0;

/**
 * Returns a function that posts frames. Those that are posted in one turn travel as one message, in order: a message
 * costs a browser more than what is in it.
 *
 * @param onRefused called for a frame that the browser does not take even alone
 */
export function createOutbox<Frame>(port: Port, onRefused: (frame: Frame) => void): (frame: Frame) => void {
  const turn = Promise.resolve();
  let waiting: Frame[] = [];

  function flush(): void {
    const frames = waiting;
    waiting = [];
    if (port.post(frames)) return;
    // Together they may be more than a browser takes as one message.
    for (const frame of frames) if (frames.length === 1 || !port.post([frame])) onRefused(frame);
  }

  return (frame) => {
    if (waiting.push(frame) === 1) void turn.then(flush);
  };
}
