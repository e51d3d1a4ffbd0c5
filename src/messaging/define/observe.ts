import type { ErrorCode } from '../wire/errors.ts';
import type { Kind } from '../wire/frames.ts';
import type { CallerInfo } from './define-callers.ts';

/** A call as an observer sees it, without input and output. */
export interface ObservedCall {
  readonly caller: CallerInfo;
  /** Number of the page's connection, from 1 in each background. Calls of the background itself have none. */
  readonly connection?: number;
  readonly kind: Kind | 'task';
  readonly name: string;
  /** Number of attempts so far. It is more than 1 if the call was sent or tried again. */
  readonly attempts: number;
}

/** The end of a call: `value` for a call, `end` for a stream, `later` for a task that asked to run later, or the code of an error. */
export type Ending = 'value' | 'end' | 'later' | ErrorCode;

/** Called when a call starts. It may return a function, which is called when the call has ended. */
export type Observe = (call: ObservedCall) => ((ending: Ending, incident?: string) => void) | undefined;
