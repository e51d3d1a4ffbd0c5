import type { contract } from '../contract/contract.ts';
import type { InputOf, NameOf, OutputOf } from '../messaging/contract.ts';
import type { CallState } from './call-state.ts';
import { useCallState } from './use-call-state.ts';
import { useExtension } from './use-extension.ts';

type Contract = typeof contract;
type SubscriptionName = NameOf<Contract, 'subscription'>;
type Input<Name extends SubscriptionName> =
  InputOf<Contract[Name]> extends undefined ? [] : [input: InputOf<Contract[Name]>];
type Open = (
  name: string,
  input: unknown,
  options: { readonly signal: AbortSignal },
) => AsyncIterable<unknown>;

/** The latest value of a stream, for as long as the component is shown. */
export function useSubscription<Name extends SubscriptionName>(
  name: Name,
  ...[input]: Input<Name>
): CallState<OutputOf<Contract[Name]>> {
  const { client } = useExtension();
  // With the name left open the compiler cannot see that input and output are this procedure's own.
  const open = client.subscribe as Open;

  return useCallState(JSON.stringify([name, input]), async (signal, take) => {
    for await (const value of open(name, input, { signal })) take(value as OutputOf<Contract[Name]>);
  });
}
