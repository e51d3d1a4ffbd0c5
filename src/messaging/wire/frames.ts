import { CallError, type ErrorReport } from './errors.ts';
import { copyJson, type Json, type JsonError } from './json.ts';

/** A query reads, a mutation changes state exactly once, and a subscription yields values until it is stopped. */
export type Kind = 'query' | 'mutation' | 'subscription';

/** Maximum length of a procedure's name and of a page's id, in characters. */
export const MAX_NAME = 100;

/**
 * One end of a connection between a page and the background. Messages arrive whole and in order, or not at all. A message
 * that is posted after the other end has gone is lost without an error.
 */
export interface Port {
  /** Posts a message. Returns `false` if the browser refuses it, for example because it is too large. */
  readonly post: (message: unknown) => boolean;
  readonly onMessage: (listener: (message: unknown) => void) => void;
  /** Calls the listener when the other end is gone, but not after this end's own `disconnect`. */
  readonly onDisconnect: (listener: () => void) => void;
  readonly disconnect: () => void;
  /** Returns `true` if this page can no longer reach the background, because the extension was reloaded, updated or removed. */
  readonly isOrphaned?: () => boolean;
}

/** Opens a port, and starts the background if necessary. Throws if this page can no longer reach the background. */
export type Connect = () => Port;

/** The browser's description of the other end of a port. Every field may be missing. */
export interface Sender {
  readonly id?: string | undefined;
  readonly origin?: string | undefined;
  readonly url?: string | undefined;
  readonly tab?: { readonly id?: number | undefined; readonly incognito?: boolean | undefined } | undefined;
  readonly frameId?: number | undefined;
  readonly documentId?: string | undefined;
  readonly documentLifecycle?: string | undefined;
}

/** A port as the background receives it. */
export interface IncomingPort extends Port {
  readonly sender: Sender | undefined;
}

/** The frame that opens a call or a stream. */
interface Opening<K extends Kind> {
  readonly kind: K;
  /** Number of the call on its page, from 1. A call that is sent again keeps it. */
  readonly id: number;
  readonly name: string;
  readonly input?: unknown;
  /** Number of times that the call was sent, including this one. */
  readonly attempt: number;
}

/** `timeout` is the number of milliseconds left until the deadline. */
type QueryFrame = Opening<'query'> & { readonly timeout: number };

/** `page` and `id` are the same in every attempt. `sentAt` is the time of this attempt, in ms since 1970. */
type MutationFrame = Opening<'mutation'> & {
  readonly timeout: number;
  readonly page: string;
  readonly sentAt: number;
};

/** A frame that starts a call. A subscription also requests its first value. */
export type OpeningFrame = QueryFrame | MutationFrame | Opening<'subscription'>;

/** A frame from a page. */
export type ClientFrame =
  | OpeningFrame
  /** Requests one more value of a stream. */
  | { readonly kind: 'pull'; readonly id: number }
  | { readonly kind: 'abort'; readonly id: number; readonly reason: 'TIMEOUT' | 'ABORTED' };

/** A frame from the background. `value` and `error` end a call, `end` and `error` a stream. */
export type ServerFrame =
  | AnswerFrame
  /** Confirms a call or stream that is not answered at once. */
  | { readonly kind: 'ready'; readonly id: number }
  /** The background does not serve this page. No other frame is sent over this port. */
  | { readonly kind: 'refused'; readonly id: 0 };

export type AnswerFrame =
  /** The value is missing if the procedure has no output. */
  | { readonly kind: 'value'; readonly id: number; readonly value?: unknown }
  | { readonly kind: 'next'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'end'; readonly id: number }
  | { readonly kind: 'error'; readonly id: number; readonly error: ErrorReport };

/**
 * Copies the input of a call, because the call may be sent later, or again, after the caller has changed the original.
 *
 * @throws CallError `NOT_JSON` or `TOO_LARGE`
 */
export function copyInput(procedure: string, input: unknown): Json | undefined {
  try {
    return input === undefined ? undefined : copyJson(input);
  } catch (error) {
    throw new CallError(procedure, error as JsonError, 'not-sent');
  }
}

/** Returns the valid frames in a message from a page. Their inputs are not validated yet. */
export function parseClientFrames(message: unknown): readonly ClientFrame[] {
  return Array.isArray(message) ? message.filter(isClientFrame) : [];
}

function isClientFrame(frame: unknown): frame is ClientFrame {
  const { id, kind, name, attempt, timeout, page, sentAt, reason } = Object(frame) as Record<string, unknown>;
  if (!isCount(id)) return false;
  if (kind === 'pull') return true;
  if (kind === 'abort') return reason === 'TIMEOUT' || reason === 'ABORTED';
  if (!isName(name) || !isCount(attempt)) return false;
  if (kind === 'subscription') return true;
  if (!isCount(timeout)) return false;
  return kind === 'query' || (kind === 'mutation' && isName(page) && isCount(sentAt));
}

/** Returns `true` for a text that can name a procedure or a page. A browser would store a lone surrogate as another key. */
export const isName = (value: unknown): boolean =>
  typeof value === 'string' && value.length > 0 && value.length <= MAX_NAME && value.isWellFormed();

const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) > 0;

/**
 * Returns a function that posts frames. Frames that are posted before the next microtask are sent as one message, in order,
 * because a browser needs more time for each message than for its content.
 */
export function createOutbox(port: Port): (frame: ClientFrame | ServerFrame) => void {
  let waiting: (ClientFrame | ServerFrame)[] = [];

  function flush(): void {
    const frames = waiting;
    waiting = [];
    // Together they may be too large for one message. One value is never too large: see `copyJson`.
    if (!port.post(frames)) for (const frame of frames) port.post([frame]);
  }

  return (frame) => {
    if (waiting.push(frame) === 1) queueMicrotask(flush);
  };
}
