import type { Kind } from './procedure.ts';

/**
 * The value that both ends import. Its keys are the procedures' names, `noun.verb`.
 *
 * `C` is no more than what the builders say: were it a `Contract`, its wide schemas would be taken
 * for the ones left out.
 */
export function defineContract<const C extends Readonly<Record<string, { readonly kind: Kind }>>>(
  contract: C & Named<C>,
): C {
  return contract;
}

type Named<C> = {
  readonly [Name in keyof C]: Name extends `${string}.${string}`
    ? unknown
    : 'A procedure is named noun.verb.';
};
