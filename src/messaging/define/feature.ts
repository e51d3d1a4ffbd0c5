import { MAX_NAME } from '../wire/frames.ts';
import type { CollectionDefinition, Definition, DocumentDefinition } from './documents.ts';
import type { Changes } from './handler-state.ts';
import { indexByName } from './limits.ts';
import type { Observe } from './observe.ts';
import type { CallProcedure, IsDeclared, Procedures } from './procedures.ts';
import type { Task } from './tasks.ts';

/** The part of a feature that runs in the background. */
export interface Feature<P> {
  /** Documents and collections in which the feature keeps its state. */
  readonly documents: readonly Definition<unknown>[];
  readonly procedures: P;
  readonly tasks: readonly Task<never>[];
  readonly observe: Observe | undefined;
  readonly start: (context: never) => void;
}

type AnyFeature = Feature<Procedures>;

interface FeatureDeclaration<P, Used extends readonly AnyFeature[]> {
  readonly documents?: AnyFeature['documents'];
  readonly procedures?: P & { readonly [Name in keyof P]: Named<Name> };
  /** Tasks that mutations of the feature enqueue. */
  readonly tasks?: AnyFeature['tasks'];
  /** Called at the start and at the end of each call of this background, and of each attempt at a task. */
  readonly observe?: Observe;
  /**
   * Registers listeners of the browser's events and watchers of state, once in every background. It must be synchronous:
   * the browser delivers an event only to listeners that were registered before the first script of the background ended.
   */
  readonly start?: (context: StartContext<P & UsedApi<Used>>) => void | undefined;
  /** Other features whose procedures `start` can call. The background must have them too. */
  readonly uses?: Used;
}

/** The procedures of the features that another feature uses. */
type UsedApi<Used extends readonly AnyFeature[]> = Used extends readonly [] ? {} : ApiOf<Used>;

interface StartContext<P> {
  /** The background, which can call the procedures of this feature, and of those that it uses, that list `background`. */
  readonly background: Background<P>;
}

/** The running background. It serves ports, calls its own procedures and watches its own state. */
export interface Background<Api> {
  /** Runs a query that lists `background` as a caller. Errors are logged as well. @throws CallError */
  readonly query: CallProcedure<Api, 'query', never, 'background'>;
  /**
   * Makes a mutation that lists `background` as a caller, for an event of the browser. It is noted in the store first, and
   * then carried out once. If this background dies, the next one carries it out. Mutations run in the order of these calls,
   * but later ones overtake one that is tried again. Errors are logged as well, because few listeners can handle them.
   *
   * @throws CallError
   */
  readonly mutate: CallProcedure<Api, 'mutation', EventOptions, 'background'>;
  readonly isDeclared: IsDeclared<Api>;
  /**
   * Calls a listener soon after every start of the background and after every change of a document or collection, for
   * effects that depend on state. Several quick changes may cause only one call. The next call waits for the promise that
   * the listener returns. Errors of the listener are logged.
   */
  readonly watch: {
    <Data>(document: DocumentDefinition<Data>, listener: (data: Data) => unknown): void;
    <Data>(collection: CollectionDefinition<Data>, listener: (changes: Changes<Data>) => unknown): void;
  };
}

export interface EventOptions {
  /** 1 to 100 characters. A procedure takes effect once for each key. The key is kept for at least a week, so never use it again. */
  readonly key?: string;
}

type Named<Name> = Name extends `${string}.${string}` ? unknown : 'A procedure is named noun.verb.';

const NOTHING = { documents: [], tasks: [], observe: undefined, start: () => undefined };

/** Declares the background part of a feature: its documents, its procedures, and its reactions to events. */
export function defineFeature<
  const P extends Procedures = {},
  const Used extends readonly AnyFeature[] = [],
>({ uses: _, ...declaration }: FeatureDeclaration<P, Used>): Feature<P> {
  return { ...NOTHING, procedures: {} as P, ...declaration };
}

type Parameter<Union> = Union extends unknown ? (value: Union) => void : never;
type Intersection<Union> = Parameter<Union> extends (value: infer All) => void ? All : never;

/** All procedures of the features, by name. Pages import only this type of the background. */
export type ApiOf<F extends readonly AnyFeature[]> =
  Intersection<F[number]['procedures']> extends infer All
    ? { readonly [Name in keyof All]: All[Name] }
    : never;

/** Joins the procedures of features. @throws TypeError for a name that is used twice or has more than 100 characters */
export function joinProcedures(features: readonly AnyFeature[]): Procedures {
  const named = features.flatMap(({ procedures }) => Object.entries(procedures));
  for (const [name] of named)
    if (name.length > MAX_NAME) throw new TypeError(`"${name}" has more than ${MAX_NAME} characters.`);
  return Object.fromEntries(indexByName('features have a procedure', named));
}
