import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** Content types by file extension. Every other path is an empty web page. */
const TYPES: Readonly<Record<string, string>> = { js: 'text/javascript', css: 'text/css' };

export interface Witness {
  /** Address of its web page, which has no content security policy, except under `/sandboxed`. */
  readonly address: string;
  /** Paths that were requested so far, without the leading slash and the query. */
  readonly asked: ReadonlySet<string>;
}

/** Serves an empty web page on the loopback address until the test is over, and records which paths are requested. */
export async function serveWitness(): Promise<Witness> {
  const asked = new Set<string>();
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://any');
    asked.add(pathname.slice(1));
    const type = TYPES[pathname.split('.')[1] ?? ''];
    response.setHeader('content-type', type ?? 'text/html');
    if (pathname === '/sandboxed') response.setHeader('content-security-policy', 'sandbox allow-scripts');
    response.end(type === undefined ? '<!doctype html><title>A web page</title>' : '');
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

/** Serves an empty web page until the test is over. Returns its address. */
export async function servePage(): Promise<string> {
  return (await serveWitness()).address;
}
