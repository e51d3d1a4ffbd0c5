import type { contract } from '../contract/contract.ts';
import type { InputOf, NameOf, OutputOf } from '../messaging/contract.ts';
import type { CallState } from './call-state.ts';
import { useCallState } from './use-call-state.ts';
import { useExtension } from './use-extension.ts';

type Contract = typeof contract;
type QueryName = NameOf<Contract, 'query'>;
type Input<Name extends QueryName> =
  InputOf<Contract[Name]> extends undefined ? [] : [input: InputOf<Contract[Name]>];
type Ask = (name: string, input: unknown, options: { readonly signal: AbortSignal }) => Promise<unknown>;

/** Asks the worker when the component is shown, and again when the input changes. */
export function useQuery<Name extends QueryName>(
  name: Name,
  ...[input]: Input<Name>
): CallState<OutputOf<Contract[Name]>> {
  type Output = OutputOf<Contract[Name]>;
  const { client, ahead } = useExtension();
  const asked = ahead?.name === name ? ahead : undefined;
  // With the name left open the compiler cannot see that input and output are this procedure's own.
  const ask = client.query as Ask;
  const state = useCallState<Output>(JSON.stringify([name, input]), async (signal, take) => {
    take((await (asked?.take() ?? ask(name, input, { signal }))) as Output);
  });
  return state.status === 'loading' && asked?.shown !== undefined
    ? { status: 'ready', value: asked.shown as Output }
    : state;
}
