import type { contract, ExtensionInfo } from '../contract.ts';
import { createMessagesFeature } from '../features/messages/background.ts';
import { preferencesFeature } from '../features/preferences/background.ts';
import { storedDataFeature } from '../features/stored-data/background.ts';
import type { Background, BackgroundOptions, Handlers } from '../messaging/server/background.ts';

type Contract = typeof contract;

/** The part of a feature that runs in the background. Its file is `background.ts` in the folder of the feature. */
export interface BackgroundFeature {
  /** One handler for each procedure of the feature's contract. */
  readonly handlers: Partial<Handlers<Contract>>;
  /** Documents and collections in which the feature keeps its state. */
  readonly documents?: BackgroundOptions['documents'];
  readonly observe?: BackgroundOptions['observe'];
  /** Registers effects that depend on state, with `background.watch`. Runs once in every background. */
  readonly start?: (background: Background<Contract>) => void;
}

/**
 * Joins the background parts of all features, one line for each.
 *
 * @param describeExtension asks the browser about the installed extension
 */
export function createFeatures(describeExtension: () => Promise<ExtensionInfo>) {
  return joinFeatures(
    { handlers: { 'extension.info': describeExtension } },
    preferencesFeature,
    storedDataFeature,
    createMessagesFeature(),
  );
}

/** Joins features. TypeScript reports a procedure without a handler. @throws TypeError if a procedure has two handlers */
export function joinFeatures<const Features extends readonly BackgroundFeature[]>(
  ...features: Features & { readonly [I in keyof Features]: Complete<Features> }
) {
  const handlers: Partial<Handlers<Contract>> = {};
  for (const feature of features) {
    const duplicate = Object.keys(feature.handlers).find((name) => Object.hasOwn(handlers, name));
    if (duplicate !== undefined) throw new TypeError(`Two features have a handler for "${duplicate}".`);
    Object.assign(handlers, feature.handlers);
  }
  const observe: BackgroundOptions['observe'] = (call) => {
    const listeners = features.map((feature) => feature.observe?.(call));
    return (...end) => listeners.forEach((listener) => listener?.(...end));
  };
  return {
    handlers: handlers as Handlers<Contract>,
    documents: features.flatMap(({ documents = [] }) => documents),
    observe,
    start: (background: Background<Contract>) => features.forEach(({ start }) => start?.(background)),
  };
}

/** `unknown` if every procedure has a handler. Otherwise a string that explains why the code does not compile. */
type Complete<Features extends readonly BackgroundFeature[]> =
  Exclude<keyof Contract, KeyOfAny<Features[number]['handlers']>> extends infer Name extends string
    ? [Name] extends [never]
      ? unknown
      : `No feature has a handler for "${Name}".`
    : never;

type KeyOfAny<Union> = Union extends unknown ? keyof Union : never;
