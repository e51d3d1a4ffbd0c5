import { NodeWebSocketTransport } from 'puppeteer-core/internal/node/NodeWebSocketTransport.js';

/**
 * A WebDriver BiDi connection (https://w3c.github.io/webdriver-bidi/): commands only, no events. Puppeteer's own
 * is not enough: it cannot reach Firefox's chrome scope, and waits for events that extension pages never send.
 */
export interface BidiConnection {
  /** Rejects with Firefox's error and message; also when the browser goes away before it answers. */
  send(method: string, params: Readonly<Record<string, unknown>>): Promise<Readonly<Record<string, unknown>>>;
}

interface PendingCommand {
  readonly resolve: (result: Readonly<Record<string, unknown>>) => void;
  readonly reject: (error: Error) => void;
}

interface Answer {
  readonly id?: number | null;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: string;
  readonly message?: string;
}

export async function openBidiConnection(url: string): Promise<BidiConnection> {
  const transport = await NodeWebSocketTransport.create(url);
  const pending = new Map<number, PendingCommand>();
  let lastId = 0;
  let isClosed = false;

  transport.onmessage = (data) => {
    // Text frames only, which `ws` types as if they could be binary.
    const answer = JSON.parse(data as string) as Answer;
    const command = pending.get(answer.id ?? -1);
    if (!command) return;
    pending.delete(answer.id ?? -1);
    if (answer.result) command.resolve(answer.result);
    else command.reject(new Error(`${answer.error}: ${answer.message}`));
  };
  transport.onclose = () => {
    isClosed = true;
    for (const { reject } of pending.values()) reject(new Error('Firefox closed the connection'));
    pending.clear();
  };

  return {
    send(method, params) {
      if (isClosed) return Promise.reject(new Error(`Firefox is gone, so it cannot do ${method}`));
      lastId += 1;
      const id = lastId;
      transport.send(JSON.stringify({ id, method, params }));
      return new Promise((resolve, reject) => {
        pending.set(id, { resolve, reject });
      });
    },
  };
}
