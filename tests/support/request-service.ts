import { serve } from './web-page.ts';

/** The status, which is 200 by default, and the seconds of the header `Retry-After`. */
type Answer = { readonly status?: number; readonly retryAfter?: number } | void;

/** A request that the service got, with its idempotency key and the time at which it arrived, in ms since 1970. */
interface ServiceRequest {
  readonly key: string;
  readonly at: number;
}

/**
 * Starts a service on the loopback address, until the test is over. It answers when `answer` resolves. Returns its address,
 * and its requests by name.
 *
 * @param answer gets the number of the request of this name, from 1
 */
export async function startService(answer: (count: number) => Promise<Answer>) {
  const requests = new Map<string, readonly ServiceRequest[]>();
  const address = await serve((request, response) => {
    const { searchParams } = new URL(request.url ?? '/', 'http://any');
    const name = searchParams.get('name') ?? '';
    const ofName = [...(requests.get(name) ?? []), { key: searchParams.get('key') ?? '', at: Date.now() }];
    requests.set(name, ofName);
    const respond = async (): Promise<void> => {
      const { status = 200, retryAfter } = (await answer(ofName.length)) ?? {};
      response.writeHead(status, retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) });
      response.end('answer');
    };
    void respond();
  });
  return { address, requests };
}
