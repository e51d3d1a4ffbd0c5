import { useRef, useState } from 'react';

import type { CallError } from '../messaging/errors.ts';
import { toCallError } from './to-call-error.ts';

/** How something that a person started stands. */
export type TaskState<Value> =
  | { readonly status: 'idle' | 'running' }
  | { readonly status: 'done'; readonly value: Value }
  | { readonly status: 'failed'; readonly error: CallError; readonly retry: () => void };

/** Something that a person starts, of which only the last run counts. */
export function useTask<Value>(run: () => Promise<Value>): readonly [TaskState<Value>, () => void] {
  const [state, setState] = useState<TaskState<Value>>({ status: 'idle' });
  const latest = useRef(0);

  function start(): void {
    latest.current += 1;
    const own = latest.current;
    const become = (next: TaskState<Value>): void => {
      if (latest.current === own) setState(next);
    };

    become({ status: 'running' });
    run().then(
      (value) => become({ status: 'done', value }),
      (error: unknown) => become({ status: 'failed', error: toCallError(error), retry: start }),
    );
  }

  return [state, start];
}
