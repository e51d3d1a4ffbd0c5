import { BACKGROUND, type Caller, type Refusal } from './server/identify-caller.ts';
import { copyInput, type IncomingPort, type Sender, type ServerFrame } from './wire/frames.ts';
import { DEFAULT_TIMEOUT, sleep } from './wire/waiting.ts';
import { CallError, isDeclared } from './wire/errors.ts';
import { type ApiOf, type Background, type Feature, joinProcedures } from './define/feature.ts';
import type { DocumentDefinition } from './define/documents.ts';
import type { Procedures } from './define/procedures.ts';
import { createEventAttempts } from './queue/event-attempts.ts';
import { createEvents } from './queue/events.ts';
import { createQueue } from './queue/queue.ts';
import { createRunner } from './queue/runner.ts';
import { createTaskAttempts, type Network } from './queue/task-attempts.ts';
import { createMemory } from './state/memory.ts';
import { checkListed } from './state/reader.ts';
import { createState } from './state/state.ts';
import { type Store, withErrors } from './state/store.ts';
import { answerQuery, type Core, joinObservers, openCall } from './server/call.ts';
import { servePort } from './server/serve-port.ts';

export interface BackgroundOptions {
  /** Identifies the sender of a port. A refused sender is notified, and its port is closed. See `identifyCaller`. */
  readonly identify: (sender: Sender | undefined) => Caller | Refusal;
  readonly store: Store;
  /** Resolves when no other background can use the store. Writes wait for it. */
  readonly alone?: Promise<unknown>;
  /** Returns an id of the browser's session, for documents with `lifetime: 'session'`. By default, it identifies this background. */
  readonly session?: () => Promise<string>;
  /** Wakes the background at a time in ms since 1970. `Infinity` cancels that. Without it, due work waits for the next start. */
  readonly wakeAt?: (time: number) => void;
  /** Keeps the background awake while a task or a long call runs, until the returned function is called. */
  readonly stayAwake?: () => () => void;
  /** Without it, an attempt at a task that fails because there is no network counts like any other. */
  readonly network?: Network;
  /** Logs an error that callers must not see. They get only the id `incident`. */
  readonly log: (incident: string, error: unknown) => void;
}

/** Milliseconds before other work starts, so that the page that woke the background gets its answer first. */
const START_DELAY = 100;

/** Number of different refused callers that are logged, because a page can have any address. */
const MAX_REFUSALS = 100;

/** Milliseconds before a watcher tries again to read the state. */
const RETRY = 5_000;

/** A background, as the script that creates it sees it. */
export interface RunningBackground<Api> extends Background<Api> {
  /**
   * Serves a port. Register it as a listener before the background's first script has ended. Otherwise the browser loses the
   * port for which it started the background.
   */
  readonly accept: (port: IncomingPort) => void;
}

/**
 * Creates the background of an extension, and starts its features. Call it once, before the background's first script has
 * ended.
 *
 * @throws TypeError for two documents with one key, or two procedures or tasks with one name
 */
export function createBackground<const F extends readonly Feature<Procedures>[]>(
  features: F,
  {
    identify,
    store: unguarded,
    alone = Promise.resolve(),
    session,
    wakeAt = () => {},
    stayAwake = () => () => {},
    network: { isOnline, onOnline } = { isOnline: () => true, onOnline: () => {} },
    log,
  }: BackgroundOptions,
): RunningBackground<ApiOf<F>> {
  const logIncident = (error: unknown): string => {
    const incident = crypto.randomUUID();
    try {
      log(incident, error);
    } catch (failure) {
      // Otherwise the call that has failed would never be answered.
      console.error(`Incident ${incident} could not be logged:`, failure);
    }
    return incident;
  };
  // Several features can list the same definition.
  const documents = [...new Set(features.flatMap((feature) => feature.documents))];
  const tasks = [...new Set(features.flatMap((feature) => feature.tasks))];
  const store = withErrors(unguarded, alone);
  const memory = createMemory(store);
  const queue = createQueue(store, memory);
  const own = crypto.randomUUID();
  const state = createState({
    store,
    memory,
    queue,
    definitions: documents,
    tasks,
    session: session ?? (async () => own),
    log: logIncident,
  });
  const core: Core = {
    procedures: joinProcedures(features),
    state,
    observe: joinObservers(
      features.flatMap(({ observe }) => observe ?? []),
      logIncident,
    ),
    stayAwake,
    log: logIncident,
  };
  const events = createEvents(core, queue);
  const runner = createRunner(core, queue, {
    events: createEventAttempts(core, events.resolve),
    tasks: createTaskAttempts(core, queue, { tasks, isOnline }),
    wakeAt,
  });
  onOnline(runner.runFailed);
  const started = sleep(START_DELAY);
  const refuse = createRefusal(logIncident);
  let connections = 0;
  void started.then(runner.run);

  const background = {
    accept: (port: IncomingPort): void => {
      const caller = identify(port.sender);
      if ('refusal' in caller) return refuse(port, caller.refusal);
      connections += 1;
      return servePort(core, port, caller, connections);
    },
    query: handled((name: string, input?: unknown) => query(core, name, input)),
    mutate: handled(events.mutate),
    isDeclared,
    watch: (definition: DocumentDefinition<unknown>, listener: (value: unknown) => unknown): void => {
      checkListed({ definitions: documents }, definition);
      void started.then(() => follow(core, definition, listener));
    },
  };
  for (const { start } of features) (start as (context: object) => void)({ background });
  return background as unknown as RunningBackground<ApiOf<F>>;
}

/** Runs a query of the background itself. Errors are logged as well. @throws CallError */
async function query(core: Core, name: string, given: unknown): Promise<unknown> {
  try {
    const input = copyInput(name, given);
    const timeout = DEFAULT_TIMEOUT;
    const call = openCall(core, { caller: BACKGROUND, kind: 'query', name, input, attempt: 1, timeout });
    const result = await answerQuery(core, call);
    call.end(result);
    if ('error' in result) throw new CallError(name, result.error, 'handled');
    return result.value;
  } catch (error) {
    // An incident is logged already.
    if ((error as CallError).incident === undefined) core.log(error);
    throw error;
  }
}

/** Follows a document or a collection for as long as this background lives. */
async function follow(
  { state, log }: Core,
  definition: DocumentDefinition<unknown>,
  listener: (value: unknown) => unknown,
): Promise<void> {
  const { signal } = new AbortController();
  for (;;) {
    try {
      for await (const value of state.createWatcher(signal).watch(definition)) {
        await Promise.resolve(value).then(listener).catch(log);
      }
    } catch (error) {
      log(error);
    }
    await sleep(RETRY);
  }
}

/** Returns a function that notifies a page that it is not served, so that its calls fail at once. Each reason is logged once. */
function createRefusal(log: (error: unknown) => void) {
  const logged = new Set<string>();
  return (port: IncomingPort, reason: string): void => {
    if (!logged.has(reason) && logged.size < MAX_REFUSALS) {
      logged.add(reason);
      log(new Error(`A caller was refused: ${reason}`));
    }
    port.post([{ kind: 'refused', id: 0 } satisfies ServerFrame]);
    port.disconnect();
  };
}

/** Marks the rejections of a call as handled. They are logged already, and the browser would log them again. */
function handled<Arguments extends unknown[], T>(
  call: (...values: Arguments) => Promise<T>,
): (...values: Arguments) => Promise<T> {
  return (...values) => {
    const result = call(...values);
    result.catch(() => {});
    return result;
  };
}
