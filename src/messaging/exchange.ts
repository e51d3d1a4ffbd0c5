import type { AnswerFrame } from './frame.ts';

/** One call or stream of a page, from its first frame to its last, over as many ports as that takes. */
export interface Exchange {
  /** Sends the opening frame over the port that is open now. */
  readonly transmit: () => void;
  readonly receive: (frame: AnswerFrame) => void;
  /** As `performance.now` counts; `Infinity` for what may go on for good. */
  readonly deadline: number;
  /** Ends it, because its deadline passed or no port can be opened any more. */
  readonly giveUp: (reason: 'TIMEOUT' | 'UNREACHABLE') => void;
  /** The port was lost. Says whether another has to be opened at once, even if that wakes the worker. */
  readonly lose: () => boolean;
}
