import type { counterContract } from './counter.ts';

export type ProcedureName = keyof typeof counterContract;

/** A frame that calls a procedure of the test contract. */
type Call = { readonly name: ProcedureName } & Readonly<Record<string, unknown>>;

const shared = { attempt: 1, timeout: 600_000, page: 'raw', sentAt: Date.now() };

/** A well-formed call of each procedure of the test contract, as it crosses the wire. */
export const everyCall: readonly Call[] = [
  { ...shared, kind: 'query', id: 1, name: 'counter.read' },
  { ...shared, kind: 'mutation', id: 2, name: 'counter.add', input: 1 },
  { ...shared, kind: 'subscription', id: 3, name: 'counter.watch' },
  { ...shared, kind: 'mutation', id: 4, name: 'bell.ring' },
  { ...shared, kind: 'query', id: 5, name: 'text.echo', input: 'text' },
  { ...shared, kind: 'query', id: 6, name: 'blob.echo', input: 'blob' },
];

/** Answers to the calls of a context, by procedure: `answered`, an error's code, `closed` or, without ports, `no API`. */
export type Outcomes = Readonly<Record<string, string>>;

/**
 * Makes each call over a port of its own, to the extension with this id or, for '', the script's own; in this window or,
 * where one is named, in a frame of it. Runs in the browser: refers to nothing outside itself.
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
          resolve(answer.error?.code ?? 'answered');
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
    outcomes[call.name] = await ask(call);
    // A worker that is just put to sleep closes its ports as well. One that refuses the sender does it each time.
    if (outcomes[call.name] === 'closed') outcomes[call.name] = await ask(call);
  }
  return outcomes;
}
