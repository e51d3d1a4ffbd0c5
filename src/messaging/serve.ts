import type { Recorder } from './create-recorder.ts';
import { createState } from './create-state.ts';
import type { State, Transaction } from './create-state.ts';
import type { Contract } from './procedure.ts';
import type { Handlers } from './handlers.ts';
import type { IncomingPort, Sender } from './port.ts';
import type { Log } from './report-failure.ts';
import { servePort } from './serve-port.ts';
import type { Store } from './store.ts';

export interface ServeOptions {
  /** Names the caller behind a sender; `undefined` refuses everything that comes from it. */
  readonly accept: (sender: Sender | undefined) => string | undefined;
  readonly store: Store;
  /**
   * Runs once in each worker, before the first mutation: what an older version or a fault left behind is put in order.
   */
  readonly prepare?: (state: Transaction) => Promise<void>;
  /** Keeps a record of every call, while it is on. */
  readonly recorder?: Recorder;
  /** Keeps what no caller may see. `incident` is the id that the caller is told instead. */
  readonly log: (incident: string, error: unknown) => void;
}

/** What every call in this worker is served with. */
export interface Server {
  readonly contract: Contract;
  /** As `Handlers` of the contract; each is called only for its own procedure, with what its kind is given. */
  readonly handlers: Readonly<Record<string, (context: never) => unknown>>;
  readonly state: State;
  readonly recorder: Recorder | undefined;
  readonly log: Log;
}

/**
 * Answers a contract. Returns the listener for incoming ports, which has to be registered before the worker's first
 * script has ended, or the browser wakes the worker and nobody is there.
 */
export function serve<const C extends Contract>(
  contract: C,
  handlers: Handlers<C>,
  { accept, store, prepare, recorder, log }: ServeOptions,
): (port: IncomingPort) => void {
  const state = createState(store, logUnderId);
  if (prepare !== undefined) state.prepare(prepare).catch(logUnderId);
  const server: Server = { contract, handlers, state, recorder, log: logUnderId };

  function logUnderId(error: unknown): string {
    const incident = crypto.randomUUID();
    log(incident, error);
    return incident;
  }

  return (port) => {
    const caller = accept(port.sender);
    if (caller === undefined) port.disconnect();
    else servePort(server, port, caller);
  };
}
