import { expect, it } from 'vitest';

import { sleep } from '../../src/messaging/wire/waiting.ts';
import { createExtensionWorld } from '../support/extension-world.ts';

declare global {
  /** Called at the start of each function of the core. */
  var enter: ((path: string, id: number) => void) | undefined;
}

// npm run walk: counts what a reader has to follow from a call of a mutation to its answer.
it('walks through a mutation of an awake background', async () => {
  const world = createExtensionWorld();
  const { client } = world.openPage('options');
  await client.mutate('preferences.update', { theme: 'dark' });
  // The first change also causes the work of each hour.
  await sleep(50);

  const walk = await follow(() => client.mutate('preferences.update', { theme: 'light' }));

  console.log(`measured: ${JSON.stringify(walk)}`);
  expect(await client.subscribe('preferences.watch').next()).toMatchObject({ value: { theme: 'light' } });
});

/** Counts the entries into functions, the distinct functions and files, and the returns to a file that was left. */
async function follow(work: () => Promise<unknown>) {
  const entered: { readonly path: string; readonly id: number }[] = [];
  globalThis.enter = (path, id) => void entered.push({ path, id });
  await work();
  globalThis.enter = undefined;
  const seen = new Map<string, number>();
  let returns = 0;
  let last = '';
  for (const { path } of entered) {
    if (path !== last && seen.has(path)) returns += 1;
    seen.set(path, (seen.get(path) ?? 0) + 1);
    last = path;
  }
  return {
    entries: entered.length,
    functions: new Set(entered.map(({ path, id }) => `${path}:${id}`)).size,
    files: seen.size,
    returns,
    entriesByFile: Object.fromEntries(seen),
  };
}
