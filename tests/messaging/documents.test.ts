import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';

import { type Json, MAX_DEPTH } from '../../src/messaging/wire/json.ts';
import { defineDocument, type DocumentDefinition } from '../../src/messaging/define/documents.ts';
import { parseValues } from '../../src/messaging/state/stored.ts';
import { createNotesWorld } from '../support/notes-world.ts';
import { rejectionOf } from '../support/promises.ts';
import { specimen } from '../support/specimen.ts';

/** Reads a stored value. */
async function readOne(definition: DocumentDefinition<unknown>, stored: unknown) {
  const [held] = await parseValues(definition, [stored]);
  return held?.value;
}

const OLD = { version: 1, data: { text: 'a\nb' } };
const MIGRATED = { version: 3, data: { lines: ['a', 'b'], color: 'red' } };

describe('a stored value', () => {
  const unknown = { lines: [], color: 'blue', size: { of: 'later' } };
  const deep = { lines: [], color: 'blue', size: nested(MAX_DEPTH - 3) };

  it.each<[what: string, stored: Json | undefined, reading: object]>([
    ['absent', undefined, { status: 'absent' }],
    ['of version 1', OLD, { status: 'older', data: MIGRATED.data }],
    ['of version 2', { version: 2, data: { lines: ['a', 'b'] } }, { status: 'older', data: MIGRATED.data }],
    [
      'with members that the schema does not know',
      { version: 3, data: unknown },
      { status: 'current', data: unknown },
    ],
    ['of a newer version', { version: 4, data: { lines: [1] } }, { status: 'newer' }],
    ['not a document', 'text', { status: 'unreadable' }],
    ['of version 0', { version: 0, data: MIGRATED.data }, { status: 'unreadable' }],
    ['of version 2.5', { version: 2.5, data: MIGRATED.data }, { status: 'unreadable' }],
    ['of a version that is text', { version: '3', data: MIGRATED.data }, { status: 'unreadable' }],
    ['without data', { version: 3 }, { status: 'unreadable' }],
    ['rejected by the schema', { version: 3, data: { lines: [], color: 'green' } }, { status: 'unreadable' }],
    ['not readable by a migration', { version: 1, data: null }, { status: 'unreadable' }],
    [
      'rejected by the schema after its migration',
      { version: 2, data: { lines: 5 } },
      { status: 'unreadable' },
    ],
    [
      'with a member that validation would drop',
      { version: 3, data: { ...specimen.initial, prototype: 1 } },
      { status: 'unreadable' },
    ],
    [
      'accepted by the schema but not JSON',
      { version: 3, data: { lines: ['half a character: \uD83D'], color: 'red' } },
      { status: 'unreadable' },
    ],
    ['as deep as can be stored', { version: 3, data: deep }, { status: 'current', data: deep }],
    ['deeper', { version: 3, data: { ...deep, size: [deep.size] } }, { status: 'unreadable' }],
  ])('that is %s has the right status', async (_what, stored, reading) => {
    const isUnreadable = 'status' in reading && reading.status === 'unreadable';

    expect(await readOne(specimen, stored)).toEqual({ ...reading, ...(isUnreadable && { stored }) });
  });

  it('is invalid if an asynchronous schema rejects it or throws, and is read otherwise', async () => {
    const check = async (value: number): Promise<boolean> => {
      if (value === 3) throw new Error('no answer');
      return value === 1;
    };
    const slow = { ...specimen, schema: v.pipeAsync(v.number(), v.checkAsync(check)) };
    const stored = [1, 2, 3].map((data) => ({ version: 3, data }));

    const readings = await parseValues(slow, stored);

    expect(readings.map(({ value }) => value)).toEqual([
      { status: 'current', data: 1 },
      { status: 'unreadable', stored: stored[1] },
      { status: 'unreadable', stored: stored[2] },
    ]);
  });

  it('never causes an exception, is never changed, and is read as data that fits the schema', async () => {
    const schema = v.looseObject({ theme: v.picklist(['system', 'dark']) });
    const preferences = defineDocument({ key: 'preferences', schema, initial: { theme: 'system' } });
    const all: readonly DocumentDefinition<unknown>[] = [specimen, preferences];
    const version = fc.oneof(fc.integer({ min: -1, max: 5 }), fc.jsonValue());
    const members = fc.constantFrom('theme', 'text', 'lines', 'color', 'document', 'at');
    const values = fc.oneof(fc.constantFrom('dark', 'red', 7), fc.array(fc.string()), fc.jsonValue());
    const contents = fc.oneof(
      fc.dictionary(members, values),
      fc.array(fc.dictionary(members, values)),
      values,
    );
    const envelope = fc.record({ version, data: contents }, { requiredKeys: [] });

    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...all),
        fc.oneof(envelope, fc.jsonValue()),
        async (document, stored) => {
          const before = JSON.stringify(stored);

          const reading = await readOne(document, stored);

          const { data } = { data: document.initial, ...reading };
          const { issues } = await document.schema['~standard'].validate(data);
          expect(issues).toBeUndefined();
          expect(JSON.stringify(stored)).toBe(before);
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe('a document', () => {
  it('is migrated when it is read, and stored migrated when it is written', async () => {
    const { world, read, change } = createNotesWorld({ documents: [specimen], stored: { specimen: OLD } });

    const seen = await read((state) => state.read(specimen));
    const before = world.disk.read('specimen');
    await change((state) => state.update(specimen, (old) => ({ ...old, lines: [...old.lines, 'c'] })));

    expect([seen, before]).toEqual([MIGRATED.data, OLD]);
    expect(world.disk.read('specimen')).toEqual({
      version: 3,
      data: { lines: ['a', 'b', 'c'], color: 'red' },
    });
  });

  // https://github.com/wxt-dev/wxt/issues/1775
  it('that was first written with migrations is not migrated by the next background', async () => {
    const count = defineDocument({
      key: 'count',
      schema: v.number(),
      initial: 0,
      migrations: [(old) => Number(old) * 100],
    });
    const { world, read, change } = createNotesWorld({ documents: [count] });
    const add = () => change((state) => state.update(count, (old) => old + 1));

    await add();
    world.killWorker();
    await add();

    expect(await read((state) => state.read(count))).toBe(2);
  });

  it('of a newer version rejects changes, and all stored values stay as they are', async () => {
    const stored = { specimen: { version: 4, data: { lines: [], color: 'green' } }, stranger: 'kept' };
    const { world, read, change } = createNotesWorld({ documents: [specimen], stored });

    const error = await rejectionOf(change((state) => state.write(specimen, specimen.initial)));

    expect(error).toMatchObject({ code: 'READ_ONLY', delivery: 'handled' });
    expect(await read((state) => state.read(specimen))).toEqual(specimen.initial);
    expect(world.disk.keys().map((key) => world.disk.read(key))).toEqual(Object.values(stored));
  });
});

function nested(depth: number): Json {
  return JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`) as Json;
}
