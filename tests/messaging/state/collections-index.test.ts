import * as v from 'valibot';
import { expect, it } from 'vitest';

import { defineCollection, defineDocument } from '../../../src/messaging/define/documents.ts';
import type { StateReader, StateWriter } from '../../../src/messaging/define/handler-state.ts';
import { createNotesWorld } from '../../support/notes-world.ts';

const Page = v.object({ title: v.string(), tags: v.array(v.string()) });
type Page = v.InferOutput<typeof Page>;

const pages = defineCollection({ key: 'pages', schema: Page });

/** The index: an entry `tag/id` for each tag of each page. Its ids are all that a search needs, and they are in memory. */
const tagged = defineCollection({ key: 'tagged', schema: v.literal(1) });

/** `true` once the index has the pages that were stored before there was an index. */
const isIndexed = defineDocument({ key: 'is-indexed', schema: v.boolean(), initial: false });

/** Sets a page and its index in one write. */
async function setPage(state: StateWriter, id: string, page: Page): Promise<void> {
  await buildIndex(state);
  const old = await state.get(pages, id);
  for (const tag of old?.tags ?? []) state.remove(tagged, `${tag}/${id}`);
  for (const tag of page.tags) state.set(tagged, `${tag}/${id}`, 1);
  state.set(pages, id, page);
}

async function buildIndex(state: StateWriter): Promise<void> {
  if (await state.read(isIndexed)) return;
  for (const { id, data } of await state.list(pages)) {
    for (const tag of data.tags) state.set(tagged, `${tag}/${id}`, 1);
  }
  state.write(isIndexed, true);
}

async function findTagged(state: StateReader, tag: string): Promise<string[]> {
  if (!(await state.read(isIndexed))) {
    const all = await state.list(pages);
    return all.filter(({ data }) => data.tags.includes(tag)).map(({ id }) => id);
  }
  const ids = await state.ids(tagged, { after: `${tag}/` });
  const end = ids.findIndex((id) => !id.startsWith(`${tag}/`));
  return ids.slice(0, end === -1 ? ids.length : end).map((id) => id.slice(tag.length + 1));
}

it('an index in a second collection is right from the first call on, in the next background too', async () => {
  const { world, read, change } = createNotesWorld({ documents: [pages, tagged, isIndexed] });
  const page = (...tags: string[]): Page => ({ title: 'A page', tags });
  world.disk.write('pages/old', { version: 1, data: page('red') });
  const find = () =>
    read((state) => Promise.all(['blue', 'green', 'red'].map((tag) => findTagged(state, tag))));

  const before = await find();
  await change((state) => setPage(state, 'new', page('blue', 'red')));
  const built = await find();
  await change((state) => setPage(state, 'old', page('green')));
  world.killWorker();

  expect([before, built, await find()]).toEqual([
    [[], [], ['old']],
    [['new'], [], ['new', 'old']],
    [['new'], ['old'], ['new']],
  ]);
});
