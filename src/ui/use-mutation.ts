import { useRef, useState } from 'react';

import type { contract } from '../contract/contract.ts';
import type { CallError } from '../messaging/errors.ts';
import type { InputOf, NameOf, OutputOf } from '../messaging/contract.ts';
import { noteStored } from './stored-before.ts';
import { toCallError } from './to-call-error.ts';
import { useExtension } from './use-extension.ts';

type Contract = typeof contract;
type MutationName = NameOf<Contract, 'mutation'>;
type Mutate = (name: string, input: unknown) => Promise<unknown>;

/** How the last change that was asked for stands. */
export type MutationState<Input, Output> =
  | { readonly status: 'idle' }
  | { readonly status: 'pending'; readonly input: Input }
  | { readonly status: 'done'; readonly input: Input; readonly output: Output }
  | {
      readonly status: 'failed';
      readonly input: Input;
      readonly error: CallError;
      readonly retry: () => void;
    };

/** A change, and the function that asks for it. It goes on when the component is gone: nothing is lost by leaving. */
export function useMutation<Name extends MutationName>(
  name: Name,
): readonly [
  MutationState<InputOf<Contract[Name]>, OutputOf<Contract[Name]>>,
  (input: InputOf<Contract[Name]>) => Promise<void>,
] {
  type State = MutationState<InputOf<Contract[Name]>, OutputOf<Contract[Name]>>;
  const { client } = useExtension();
  const [state, setState] = useState<State>({ status: 'idle' });
  const latest = useRef(0);

  async function run(input: InputOf<Contract[Name]>): Promise<void> {
    latest.current += 1;
    const own = latest.current;
    const become = (next: State): void => {
      if (latest.current === own) setState(next);
    };

    become({ status: 'pending', input });
    try {
      // With the name left open the compiler cannot see that input and output are this procedure's own.
      const output = await (client.mutate as Mutate)(name, input);
      noteStored();
      become({ status: 'done', input, output: output as OutputOf<Contract[Name]> });
    } catch (error) {
      become({ status: 'failed', input, error: toCallError(error), retry: () => void run(input) });
    }
  }

  return [state, run];
}
