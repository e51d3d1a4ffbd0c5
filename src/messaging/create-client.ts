import { CallError } from './call-error.ts';
import { copyJson } from './copy-json.ts';
import type { ConnectionState } from './create-connection.ts';
import { createLink } from './create-link.ts';
import type { Contract, InputOf, NameOf, OutputOf, Procedure } from './procedure.ts';
import { findFault } from './find-fault.ts';
import { openStream } from './open-stream.ts';
import type { Json } from './json.ts';
import type { Connect } from './port.ts';
import { startCall } from './start-call.ts';
import type { CallOptions, StartedCall } from './start-call.ts';

/** What a page calls the worker with. Everything that goes wrong is a `CallError`. */
export interface Client<C extends Contract> {
  /** Asks. Asked again by itself when the worker dies before it has answered. */
  readonly query: <Name extends NameOf<C, 'query'>>(
    name: Name,
    ...rest: Rest<C[Name], CallOptions>
  ) => Promise<OutputOf<C[Name]>>;
  /** Changes state, exactly once. A page's mutations take effect one after the other, in the order of these calls. */
  readonly mutate: <Name extends NameOf<C, 'mutation'>>(
    name: Name,
    ...rest: Rest<C[Name], CallOptions>
  ) => Promise<OutputOf<C[Name]>>;
  /** Yields until the handler ends, the signal is aborted (which ends the loop quietly) or the loop is left. */
  readonly subscribe: <Name extends NameOf<C, 'subscription'>>(
    name: Name,
    ...rest: Rest<C[Name], { readonly signal?: AbortSignal }>
  ) => AsyncGenerator<OutputOf<C[Name]>, void>;
  /** What is known of the worker, and a way to hear when that changes. */
  readonly connection: {
    readonly state: () => ConnectionState;
    readonly onChange: (listener: () => void) => () => void;
  };
  /** To be called when the worker is known to be awake: subscriptions that rest since it slept go on. */
  readonly resume: () => void;
  /**
   * Takes a new port: when the page is back from the back/forward cache, where browsers take ports away,
   * or to try again.
   */
  readonly reconnect: () => void;
}

/** What follows the name: the input, if the procedure takes one, and the options. */
type Rest<P extends Procedure, Options> =
  InputOf<P> extends undefined
    ? [input?: undefined, options?: Options]
    : [input: InputOf<P>, options?: Options];

/** A client for one page. It opens its port on first use; `connect` is asked for a new one whenever that was lost. */
export function createClient<const C extends Contract>(contract: C, connect: Connect): Client<C> {
  const link = createLink(connect);
  /** The mutations that have not ended: the first is on its way, the others are held back. */
  const mutations: Pick<StartedCall, 'release'>[] = [];

  /** The input as it is now. Refuses what cannot cross the wire; whatever else is wrong with it the worker says. */
  function take(name: string, input: unknown): Json | undefined {
    const fault = findFault(input, contract[name]?.maxBytes);
    if (fault !== undefined) throw new CallError(name, fault, 'not-sent');
    return copyJson(input as Json | undefined);
  }

  async function query(name: string, input?: unknown, options?: CallOptions): Promise<unknown> {
    const request = {
      kind: 'query',
      name,
      input: take(name, input),
      isRepeatable: true,
      isHeld: false,
    } as const;
    return startCall(link, { ...options, ...request }).outcome;
  }

  async function mutate(name: string, input?: unknown, options?: CallOptions): Promise<unknown> {
    const isRepeatable = contract[name]?.effect !== 'external';
    const request = { kind: 'mutation', name, input: take(name, input), isRepeatable } as const;
    // Taken before anything starts, which may call whoever then makes the next mutation.
    const place = { release: () => {} };
    const isHeld = mutations.push(place) > 1;
    const started = startCall(link, { ...options, ...request, isHeld });
    place.release = started.release;
    try {
      return await started.outcome;
    } finally {
      mutations.splice(mutations.indexOf(place), 1);
      mutations[0]?.release();
    }
  }

  async function* subscribe(
    name: string,
    input?: unknown,
    options?: { readonly signal?: AbortSignal },
  ): AsyncGenerator<unknown, void> {
    yield* openStream(link, name, take(name, input), options?.signal);
  }

  const { state, onChange, resume, reconnect } = link;
  const client = { query, mutate, subscribe, connection: { state, onChange }, resume, reconnect };
  // The contract's types describe from here on what the wire carries; the worker checks it.
  return client as Client<C>;
}
