import { runInThisContext } from 'node:vm';
import { beforeEach, expect, it, vi } from 'vitest';

import beforePaint from '../../src/static/before-paint.js?raw';

interface OpenedPort {
  readonly number: number;
  readonly lose: () => void;
}

let opened: OpenedPort[] = [];

beforeEach(() => {
  opened = [];
  vi.resetModules();
  vi.stubGlobal('document', { documentElement: { dataset: {}, lang: 'en' } });
  vi.stubGlobal('chrome', { runtime: { connect }, i18n: { getMessage: () => 'en' } });
});

it('takes over the port that was opened before the first paint, and opens its own from then on', async () => {
  runInThisContext(beforePaint);
  const before = opened.length;

  const posted = [await postOverNewPort(), await postOverNewPort(), await postOverNewPort()];

  expect(before).toBe(1);
  expect(posted).toEqual([1, 2, 3]);
});

it('opens its own when that port was lost before anybody listened', async () => {
  runInThisContext(beforePaint);
  opened[0]?.lose();

  expect(await postOverNewPort()).toBe(2);
});

it('opens its own in a page without such a port', async () => {
  expect(await postOverNewPort()).toBe(1);
});

/** The number of the port over which a message went. */
async function postOverNewPort(): Promise<unknown> {
  const { connectPage } = await import('../../src/platform/connect-page.ts');
  const port = connectPage();
  posts.length = 0;
  port.post('message');
  return posts[0];
}

const posts: number[] = [];

function connect(): unknown {
  const number = opened.length + 1;
  const listeners: (() => void)[] = [];
  opened.push({ number, lose: () => listeners.forEach((listener) => listener()) });
  return {
    postMessage: () => posts.push(number),
    onDisconnect: { addListener: (listener: () => void) => listeners.push(listener) },
  };
}
