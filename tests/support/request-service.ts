import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

interface Answer {
  readonly status: number;
  /** Seconds. */
  readonly retryAfter?: number;
}

/** Starts a service on the loopback address, until the test is over. `answer` gets the number of the request of this name. */
export async function startService(answer: (name: string, count: number) => Promise<Answer>) {
  /** Requests by name, with their idempotency keys and the times at which they arrived, in ms. */
  const requests = new Map<string, { readonly key: string; readonly at: number }[]>();
  let aborted = 0;
  const server = createServer((request, response) => {
    const { searchParams } = new URL(request.url ?? '/', 'http://any');
    const name = searchParams.get('name') ?? '';
    const ofName = requests.get(name) ?? [];
    ofName.push({ key: searchParams.get('key') ?? '', at: Date.now() });
    requests.set(name, ofName);
    response.once('close', () => (aborted += Number(!response.writableFinished)));
    const respond = async (): Promise<void> => {
      const { status, retryAfter } = await answer(name, ofName.length);
      if (retryAfter !== undefined) response.setHeader('retry-after', retryAfter);
      response.writeHead(status).end('answer');
    };
    void respond();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { address: `http://127.0.0.1:${port}/`, requests, aborted: () => aborted };
}
