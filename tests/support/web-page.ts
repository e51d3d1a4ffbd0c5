import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** Serves one empty web page on the loopback address until the test is over, and gives its address. */
export async function servePage(): Promise<string> {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html').end('<!doctype html><title>A web page</title>');
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

export interface Witness {
  /** Of its web page, which has no policy. */
  readonly address: string;
  /** Paths that were asked for so far, without the slash in front and the query. */
  readonly asked: ReadonlySet<string>;
}

/** Serves a web page on the loopback address until the test is over, and remembers what it was asked for. */
export async function serveWitness(): Promise<Witness> {
  const asked = new Set<string>();
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://any');
    asked.add(pathname.slice(1));
    const type = pathname.endsWith('.js')
      ? 'text/javascript'
      : pathname.endsWith('.css')
        ? 'text/css'
        : 'text/html';
    response
      .setHeader('content-type', type)
      .end(type === 'text/html' ? '<!doctype html><title>A web page</title>' : '');
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, asked };
}
