import { spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';

/** A plain DevTools connection, which attaches to nothing by itself: an attached worker starts later and never sleeps. */
export interface CdpPipe {
  /** Sends one command, to the browser or, with a session, to one of its targets. Rejects with the browser's words. */
  readonly send: <T>(method: string, params?: object, sessionId?: string) => Promise<T>;
  /** Ends the browser and waits until it is gone. */
  readonly close: () => Promise<void>;
}

interface Answer {
  readonly id?: number;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

interface Pending {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** Starts Chromium and speaks to it over a pipe: the one way on which it takes extensions. */
export function openCdpPipe(executable: string, args: readonly string[]): CdpPipe {
  const chromium = spawn(executable, ['--remote-debugging-pipe', ...args], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
  });
  const [, , , input, output] = chromium.stdio as unknown as [null, null, null, Writable, Readable];
  const pending = new Map<number, Pending>();
  let isOver = false;
  const exited = new Promise<void>((resolve) => {
    const onEnd = (): void => {
      isOver = true;
      for (const { reject } of pending.values()) reject(new Error('Chromium has ended'));
      resolve();
    };
    chromium.once('exit', onEnd);
    // It could not be started at all.
    chromium.once('error', onEnd);
  });
  let lastId = 0;

  readMessages(output, (text) => {
    const { id = 0, result, error } = JSON.parse(text) as Answer;
    const call = pending.get(id);
    pending.delete(id);
    if (error === undefined) call?.resolve(result);
    else call?.reject(new Error(error.message));
  });

  const send = (method: string, params: object = {}, sessionId?: string): Promise<unknown> =>
    new Promise((resolve, reject) => {
      if (isOver) throw new Error('Chromium has ended');
      lastId += 1;
      pending.set(lastId, { resolve, reject });
      input.write(`${JSON.stringify({ id: lastId, method, params, sessionId })}\0`);
    });
  return {
    // Each caller knows what the command that it names gives.
    send: send as CdpPipe['send'],
    close: async () => {
      await send('Browser.close').catch(() => undefined);
      await exited;
    },
  };
}

/** Messages end in a zero byte and may come in pieces. */
function readMessages(output: Readable, onMessage: (text: string) => void): void {
  let rest = '';
  output.setEncoding('utf8').on('data', (text: string) => {
    const messages = (rest + text).split('\0');
    rest = messages.pop() ?? '';
    for (const message of messages) onMessage(message);
  });
}
