import type { counterContract } from './counter-contract.ts';

export type ProcedureName = keyof typeof counterContract;

/** A frame that calls a procedure of the test contract. */
type Call = { readonly name: ProcedureName } & Readonly<Record<string, unknown>>;

const call = { attempt: 1, timeout: 600_000, page: 'raw', sentAt: Date.now() };

/** A well-formed call of each procedure of the test contract, as it crosses the wire. */
export const everyCall: readonly Call[] = [
  { ...call, kind: 'query', id: 1, name: 'counter.read' },
  { ...call, kind: 'mutation', id: 2, name: 'counter.add', input: 1 },
  { ...call, kind: 'subscription', id: 3, name: 'counter.watch' },
  { ...call, kind: 'mutation', id: 4, name: 'bell.ring' },
  { ...call, kind: 'query', id: 5, name: 'text.echo', input: 'text' },
  { ...call, kind: 'query', id: 6, name: 'blob.echo', input: 'blob' },
];
