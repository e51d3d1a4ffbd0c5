import { type AnyProcedure, MAX_NAME, type Procedures } from './procedures.ts';
import type { Background } from './server/background.ts';
import type { Observe } from './server/call.ts';
import type { Definition } from './state/documents.ts';
import type { Task } from './state/tasks.ts';

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

interface FeatureDeclaration<P> {
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
  readonly start?: (context: StartContext<P>) => void | undefined;
}

interface StartContext<P> {
  /** The background, which can call the procedures of this feature that list `background`. */
  readonly background: Background<P>;
}

type Named<Name> = Name extends `${string}.${string}` ? unknown : 'A procedure is named noun.verb.';

const NOTHING = { documents: [], tasks: [], observe: undefined, start: () => undefined };

/** Declares the background part of a feature: its documents, its procedures, and its reactions to events. */
export function defineFeature<const P extends Procedures = {}>(
  declaration: FeatureDeclaration<P>,
): Feature<P> {
  return { ...NOTHING, procedures: {} as P, ...declaration };
}

type NamesOf<F> = F extends { readonly procedures: infer P } ? keyof P & string : never;
type Repeated<Name> = [Name] extends [never] ? unknown : `An earlier feature has "${Name & string}".`;

/** One pass over the features, so that the compiler's time grows with their number and not with its square. */
type Unique<F, Seen = never, Checked extends unknown[] = []> = F extends readonly [infer One, ...infer Others]
  ? Unique<Others, Seen | NamesOf<One>, [...Checked, Repeated<NamesOf<One> & Seen>]>
  : Readonly<Checked>;

/** Lists the features of an extension, one line for each. Two features cannot have a procedure of the same name. */
export function defineFeatures<const F extends readonly AnyFeature[]>(features: F & Unique<F>): F {
  return features;
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
  const joined: Record<string, AnyProcedure> = {};
  for (const [name, procedure] of features.flatMap(({ procedures }) => Object.entries(procedures))) {
    if (Object.hasOwn(joined, name)) throw new TypeError(`Two features have a procedure "${name}".`);
    if (name.length > MAX_NAME) throw new TypeError(`"${name}" has more than ${MAX_NAME} characters.`);
    joined[name] = procedure;
  }
  return joined;
}
