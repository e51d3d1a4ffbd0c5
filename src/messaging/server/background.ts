import type { StandardSchemaV1 as Schema } from '@standard-schema/spec';

import { BACKGROUND, type Caller, type Sender } from '../callers.ts';
import type {
  ArgumentsOf,
  Contract,
  InputOf,
  IsDeclared,
  NameOf,
  OutputOf,
  ParsedOf,
  Procedure,
  ReturnedOf,
} from '../contract.ts';
import { DEFAULT_TIMEOUT, sleep } from '../deadline.ts';
import { CallError, copyInput, isDeclared, type ProcedureError } from '../errors.ts';
import type { Collection, Definition, Document } from '../state/documents.ts';
import { checkListed, type StateReader } from '../state/reader.ts';
import { type Changes, createState, type StateWatcher } from '../state/state.ts';
import type { Store } from '../state/store.ts';
import type { Transaction } from '../state/transaction.ts';
import type { IncomingPort } from '../wire.ts';
import { answerCall, type CallServer, type Observe, openCall } from './call.ts';
import { createInbox, type EventOptions } from './inbox.ts';
import { serveSession } from './session.ts';

/** One handler for each procedure. A missing one does not compile. */
export type Handlers<C extends Contract> = { readonly [Name in keyof C]: Handler<C[Name]> };

export type Handler<P extends Procedure> = {
  query: (context: Context<P, StateReader>) => ReturnedOf<P> | Promise<ReturnedOf<P>>;
  mutation: (context: Context<P, MutationState<P>>) => ReturnedOf<P> | Promise<ReturnedOf<P>>;
  subscription: (context: Context<P, StateWatcher>) => AsyncIterable<ReturnedOf<P>>;
}[P['kind']];

/** A mutation with an external effect only reads state, because changes could not be written together with that effect. */
type MutationState<P extends Procedure> = P['effect'] extends 'external' ? StateReader : Transaction;

/** The argument of every handler. */
interface Context<P extends Procedure, State> {
  /** Validated by the procedure's schema. */
  readonly input: ParsedOf<P>;
  /** The name of the caller, as the browser identifies it. For calls of the background itself, it is `background`. */
  readonly caller: P['callers'][number];
  /**
   * Aborted when the caller aborts or the deadline passes, and for queries and subscriptions also when their page closes.
   */
  readonly signal: AbortSignal;
  readonly state: State;
  /** Returns a declared error to throw. */
  readonly fail: <Name extends keyof P['errors'] & string>(
    name: Name,
    data: Schema.InferInput<P['errors'][Name]>,
  ) => ProcedureError;
}

export interface BackgroundOptions {
  /** Identifies the sender of a port. If it returns `undefined`, the port is closed. See `identifyCaller`. */
  readonly identify: (sender: Sender | undefined) => Caller | undefined;
  readonly store: Store;
  /** All documents and collections that handlers can use. */
  readonly documents: readonly Definition<unknown>[];
  readonly observe?: Observe;
  /** Logs an error that callers must not see. They get only the id `incident`. */
  readonly log: (incident: string, error: unknown) => void;
}

/** The background of the extension. It serves ports, calls its own contract and watches its own state. */
export interface Background<C extends Contract> {
  /**
   * Serves a port. Register it as a listener before the background's first script has ended. Otherwise the browser loses the
   * port for which it started the background.
   */
  readonly accept: (port: IncomingPort) => void;
  /** Runs a query that lists `background` as a caller. Errors are logged as well. @throws CallError */
  readonly query: <Name extends NameOf<C, 'query', 'background'>>(
    name: Name,
    ...input: InputOf<C[Name]> extends undefined ? [] : [input: InputOf<C[Name]>]
  ) => Promise<OutputOf<C[Name]>>;
  /**
   * Makes a mutation that lists `background` as a caller, for an event of the browser. It is noted in the store first, and
   * then carried out once, in the order of these calls. If this background dies, the next one carries it out.
   * Errors are logged as well, because few listeners can handle them.
   *
   * @throws CallError
   */
  readonly mutate: <Name extends NameOf<C, 'mutation', 'background'>>(
    name: Name,
    ...rest: ArgumentsOf<C[Name], EventOptions>
  ) => Promise<OutputOf<C[Name]>>;
  readonly isDeclared: IsDeclared<C>;
  /**
   * Calls a listener soon after every start of the background and after every change of a document or collection, for
   * effects that depend on state. Several quick changes may cause only one call. The next call waits for the promise that
   * the listener returns. Errors of the listener are logged.
   */
  readonly watch: {
    <Data>(document: Document<Data>, listener: (data: Data) => unknown): void;
    <Data>(collection: Collection<Data>, listener: (changes: Changes<Data>) => unknown): void;
  };
}

/** Milliseconds before other work starts, so that the page that woke the background gets its answer first. */
const START_DELAY = 100;

/** Milliseconds before a watcher tries again to read the state. */
const RETRY = 5_000;

/** Creates the background. @throws TypeError for documents with the same key */
export function createBackground<const C extends Contract>(
  contract: C,
  handlers: Handlers<C>,
  { identify, store, documents, observe = () => undefined, log }: BackgroundOptions,
): Background<C> {
  const logIncident = (error: unknown): string => {
    const incident = crypto.randomUUID();
    log(incident, error);
    return incident;
  };
  const state = createState(store, documents, logIncident);
  const server: CallServer = { contract, handlers, state, observe, log: logIncident };
  const inbox = createInbox(server, store);
  const started = sleep(START_DELAY);
  let connections = 0;
  void started.then(inbox.resume);

  async function query(name: string, given?: unknown): Promise<unknown> {
    try {
      return await runQuery(name, copyInput(name, given));
    } catch (error) {
      // An incident is logged already.
      if ((error as CallError).incident === undefined) logIncident(error);
      throw error;
    }
  }

  async function runQuery(name: string, input: unknown): Promise<unknown> {
    const call = openCall(server, {
      caller: BACKGROUND,
      kind: 'query',
      name,
      input,
      attempt: 1,
      timeout: DEFAULT_TIMEOUT,
    });
    const settled = await answerCall(server, call);
    call.end(settled);
    if ('error' in settled) throw new CallError(name, settled.error, 'handled');
    return settled.value;
  }

  function watch(definition: Document<unknown>, listener: (value: unknown) => unknown): void {
    checkListed(documents, definition);
    void follow(definition, (value) => Promise.resolve(value).then(listener).catch(logIncident));
  }

  /** Follows a document or a collection for as long as this background lives. */
  async function follow(
    definition: Document<unknown>,
    onValue: (value: unknown) => Promise<unknown>,
  ): Promise<void> {
    const { signal } = new AbortController();
    await started;
    for (;;) {
      try {
        for await (const value of state.createWatcher(signal).watch(definition)) await onValue(value);
      } catch (error) {
        logIncident(error);
      }
      await sleep(RETRY);
    }
  }

  return {
    accept: (port: IncomingPort) => {
      const caller = identify(port.sender);
      if (caller === undefined) return port.disconnect();
      connections += 1;
      return serveSession(server, port, caller, connections);
    },
    query,
    mutate: inbox.mutate,
    isDeclared,
    watch,
  } as unknown as Background<C>;
}
