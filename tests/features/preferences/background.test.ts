import { expect, it } from 'vitest';

import { createExtensionWorld } from '../../support/extension-world.ts';
import { rejectionOf } from '../../support/promises.ts';

it('saves a theme from the options page, and open pages receive it', async () => {
  const world = createExtensionWorld();
  const watched = world.openPage('popup').client.subscribe('preferences.watch');
  const atFirst = await watched.next();
  const next = watched.next();

  const answer = await world.openPage('options').client.mutate('preferences.update', { theme: 'dark' });

  expect(atFirst.value).toMatchObject({ theme: 'system' });
  expect(answer).toMatchObject({ theme: 'dark' });
  expect(await next).toMatchObject({ done: false, value: { theme: 'dark' } });
  expect(world.disk.read('preferences')).toEqual({ version: 1, data: { theme: 'dark' } });
});

it.each([
  ['an unknown theme', { theme: 'sepia' }, 'theme'],
  ['an unknown preference', { theme: 'dark', size: 3 }, 'size'],
  ['something else', 'dark', ''],
])('rejects %s with the path of the issue, and changes nothing', async (_what, patch, path) => {
  const world = createExtensionWorld();

  const error = await rejectionOf(
    world.openPage('options').client.mutate('preferences.update', patch as { theme: 'dark' }),
  );

  expect(error).toMatchObject({ code: 'INVALID_INPUT', delivery: 'handled' });
  expect(error.issues.map((issue) => issue.path)).toContain(path);
  expect(world.disk.keys()).toEqual([]);
});
