import type { CounterApi } from './counter.ts';

export type ProcedureName = keyof CounterApi;

/** A frame that calls a procedure of the test contract. */
type Call = { readonly name: ProcedureName } & Readonly<Record<string, unknown>>;

const shared = { attempt: 1, timeout: 600_000, page: 'raw', sentAt: Date.now() };

/** A well-formed frame for each procedure of the test contract. */
export const everyCall: readonly Call[] = [
  { ...shared, kind: 'query', id: 1, name: 'counter.read' },
  { ...shared, kind: 'mutation', id: 2, name: 'counter.add', input: 1 },
  { ...shared, kind: 'subscription', id: 3, name: 'counter.watch' },
  { ...shared, kind: 'mutation', id: 4, name: 'counter.tick' },
  { ...shared, kind: 'query', id: 5, name: 'text.echo', input: 'text' },
  { ...shared, kind: 'query', id: 6, name: 'blob.echo', input: 'blob' },
];

/** The outcome of each call, by procedure: `answered`, the code of an error, `refused`, `closed`, or `no API` where there are no ports. */
type Outcomes = Readonly<Record<string, string>>;

/** Returns the outcomes if all calls have the same one. */
export const outcomeOfAll = (outcome: string): Outcomes =>
  Object.fromEntries(everyCall.map(({ name }) => [name, outcome]));

/**
 * Makes each call over a new port. It runs in the browser, so it uses nothing outside of this function.
 *
 * @param target id of the extension that is called, or '' for the script's own extension
 * @param frame selector of a frame whose API is used instead of this window's
 */
export async function askEverything(
  calls: readonly { readonly name: string }[],
  target: string,
  frame = '',
): Promise<Outcomes> {
  const outcomes: Record<string, string> = {};
  const window = frame === '' ? globalThis : document.querySelector<HTMLIFrameElement>(frame)?.contentWindow;
  const api = (window as { readonly chrome?: typeof chrome } | null | undefined)?.chrome;

  const ask = (call: object): Promise<string> =>
    new Promise((resolve) => {
      if (typeof api?.runtime?.connect !== 'function') {
        resolve('no API');
        return;
      }
      try {
        const name = { name: 'messaging' };
        const port = target === '' ? api.runtime.connect(name) : api.runtime.connect(target, name);
        port.onMessage.addListener((message) => {
          const frames = message as { kind: string; error?: { code: string } }[];
          const answer = frames.find(({ kind }) => kind !== 'ready');
          if (answer === undefined) return;
          resolve(answer.kind === 'refused' ? 'refused' : (answer.error?.code ?? 'answered'));
          port.disconnect();
        });
        port.onDisconnect.addListener(() => {
          void api.runtime.lastError;
          resolve('closed');
        });
        port.postMessage([call]);
      } catch {
        resolve('closed');
      }
    });

  for (const call of calls) {
    // Each call comes from another page, because a page sends its mutations in the order of their ids.
    const sent = { ...call, page: String(Math.random()) };
    outcomes[call.name] = await ask(sent);
    // A worker that falls asleep also closes its ports, so the call is repeated once.
    if (outcomes[call.name] === 'closed') outcomes[call.name] = await ask(sent);
  }
  return outcomes;
}
