import * as v from 'valibot';
import { expect, it } from 'vitest';

import { proceduresFor } from '../../../src/messaging/define/declare.ts';
import { defineDocument } from '../../../src/messaging/define/documents.ts';
import { testCallers } from '../../support/counter.ts';
import { createFeatureWorld } from '../../support/feature-world.ts';

const { query, mutation } = proceduresFor(testCallers);

const Theme = v.object({ theme: v.string() });
const theme = defineDocument({ key: 'theme', schema: Theme, initial: { theme: 'light' } });

const procedures = {
  'theme.read': query({ callers: ['options'], output: Theme, handle: ({ state }) => state.read(theme) }),
  'theme.set': mutation({
    callers: ['options'],
    input: v.string(),
    output: Theme,
    handle: ({ input, state }) => state.update(theme, (old) => ({ ...old, theme: input })),
  }),
};

/** Creates a world of this version after a newer one has added the member `size` to the document. */
function createOlderWorld({ version }: { readonly version: number }) {
  const world = createFeatureWorld(procedures, [theme]);
  world.disk.write('theme', { version, data: { theme: 'dark', size: 12 } });
  return { disk: world.disk, client: world.openPage('options').client };
}

it('leaves out a member that a newer version added, and removes it with the next change', async () => {
  const { disk, client } = createOlderWorld({ version: 1 });

  const seen = await client.query('theme.read');
  const before = disk.read('theme');
  const changed = await client.mutate('theme.set', 'blue');

  expect([seen, changed]).toEqual([{ theme: 'dark' }, { theme: 'blue' }]);
  expect(before).toEqual({ version: 1, data: { theme: 'dark', size: 12 } });
  expect(disk.read('theme')).toEqual({ version: 1, data: { theme: 'blue' } });
});

it('keeps such a member, and changes nothing, if the newer version raised the number', async () => {
  const { disk, client } = createOlderWorld({ version: 2 });

  const seen = await client.query('theme.read');

  expect(seen).toEqual({ theme: 'light' });
  await expect(client.mutate('theme.set', 'blue')).rejects.toMatchObject({ code: 'READ_ONLY' });
  expect(disk.read('theme')).toEqual({ version: 2, data: { theme: 'dark', size: 12 } });
});
