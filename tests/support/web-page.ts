import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** Serves an empty web page. Returns its address. It has no content security policy, except under `/sandboxed`. */
export function servePage(): Promise<string> {
  return serve(({ url = '' }, response) => {
    response.setHeader('content-type', 'text/html');
    if (url === '/sandboxed') response.setHeader('content-security-policy', 'sandbox allow-scripts');
    response.end('<!doctype html><title>A web page</title>');
  });
}

/** Answers requests to the loopback address until the test is over. Returns the address. */
export async function serve(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}
