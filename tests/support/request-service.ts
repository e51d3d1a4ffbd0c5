import { serve } from './web-page.ts';

/**
 * Starts a service on the loopback address, until the test is over. It answers when `answer` resolves. Returns its address,
 * and the idempotency keys of its requests by name.
 */
export async function startService(answer: () => Promise<unknown>) {
  const requests = new Map<string, string[]>();
  const address = await serve((request, response) => {
    const { searchParams } = new URL(request.url ?? '/', 'http://any');
    const name = searchParams.get('name') ?? '';
    requests.set(name, [...(requests.get(name) ?? []), searchParams.get('key') ?? '']);
    void answer().then(() => response.end('answer'));
  });
  return { address, requests };
}
