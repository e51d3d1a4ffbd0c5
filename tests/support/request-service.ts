import { serve } from './web-page.ts';

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
  const address = await serve((request, response) => {
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
  return { address, requests, aborted: () => aborted };
}
