import type { ErrorReport } from './call-error.ts';

/** Numbers the calls of one page; rises by one a call and is kept when a call is sent again. */
type CallId = number;

/** What every call says of itself. */
interface Call {
  readonly id: CallId;
  readonly name: string;
  readonly input?: unknown;
  /** 1 when it is sent first, one more whenever it is sent again. */
  readonly attempt: number;
}

/** The frames that open a call or a stream. */
export type OpeningFrame = QueryFrame | MutationFrame | SubscriptionFrame;

export interface QueryFrame extends Call {
  readonly kind: 'query';
  /** Milliseconds that are left until the caller's deadline. */
  readonly timeout: number;
}

export interface MutationFrame extends Call {
  readonly kind: 'mutation';
  readonly timeout: number;
  /** With `id` the mutation's name for good, so that it takes effect once however often it arrives. */
  readonly page: string;
}

/** Asks for the first value as well. */
export interface SubscriptionFrame extends Call {
  readonly kind: 'subscription';
}

/** What a page sends. */
export type ClientFrame =
  | OpeningFrame
  /** The consumer of a stream asks for one more value. */
  | { readonly kind: 'pull'; readonly id: CallId }
  | { readonly kind: 'abort'; readonly id: CallId; readonly reason: 'TIMEOUT' | 'ABORTED' };

/** What the worker sends. `value` and `error` end a call, `end` and `error` a stream. */
export type ServerFrame = typeof READY | AnswerFrame;

/** To a page that has not had an answer a moment after its first frame: the worker has started and serves it. */
export const READY = { kind: 'ready' } as const;

export type AnswerFrame =
  | { readonly kind: 'value'; readonly id: CallId; readonly value: unknown }
  | { readonly kind: 'next'; readonly id: CallId; readonly value: unknown }
  | { readonly kind: 'end'; readonly id: CallId }
  | { readonly kind: 'error'; readonly id: CallId; readonly error: ErrorReport };

/** The frame that was sent to the worker, or `undefined` for anything else. Its `input` is still unread. */
export function parseClientFrame(message: unknown): ClientFrame | undefined {
  const isFrame = typeof message === 'object' && message !== null && hasFields(message);
  return isFrame ? (message as ClientFrame) : undefined;
}

/** Longer names and page ids are nobody's. */
const MAX_TEXT = 100;

function hasFields(message: object): boolean {
  const { id, kind, name, attempt, timeout, page, reason } = message as Readonly<Record<string, unknown>>;
  if (!isCount(id)) return false;
  if (kind === 'pull') return true;
  if (kind === 'abort') return reason === 'TIMEOUT' || reason === 'ABORTED';
  if (!isText(name) || !isCount(attempt)) return false;
  if (kind === 'subscription') return true;
  return isCount(timeout) && (kind === 'query' || (kind === 'mutation' && isText(page)));
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value.length > 0 && value.length <= MAX_TEXT;
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) > 0;
}
