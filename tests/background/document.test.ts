import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';

import {
  type Document,
  migrateDocuments,
  openDocument,
  quarantine,
  readDocument,
} from '../../src/background/document.ts';
import { documents } from '../../src/background/documents.ts';
import type { Json } from '../../src/messaging/json.ts';
import { counterContract, counterHandlers } from '../support/counter.ts';
import { createMemoryWorld, type MemoryWorld } from '../support/memory-world.ts';
import { specimen } from '../support/specimen.ts';

const OLD = { version: 1, data: { text: 'a\nb' } };
const MIGRATED = { version: 3, data: { lines: ['a', 'b'], color: 'red' } };
const INITIAL = { version: 3, data: specimen.initial };
const DAMAGED = { version: 3, data: { lines: 'eaten' } };
const HALF = 'half a character: \uD83D';

describe('a document', () => {
  const unknown = { lines: [], color: 'blue', size: { of: 'later' } };

  it.each<[what: string, stored: Json | undefined, status: string, data: unknown]>([
    ['absent', undefined, 'absent', specimen.initial],
    ['of version 1', OLD, 'older', MIGRATED.data],
    ['of version 2', { version: 2, data: { lines: ['a', 'b'] } }, 'older', MIGRATED.data],
    ['with members that the schema does not know', { version: 3, data: unknown }, 'current', unknown],
    ['of a newer version', { version: 4, data: { lines: [1] } }, 'newer', specimen.initial],
  ])('that is %s is read', (_what, stored, status, data) => {
    expect(readDocument(specimen, stored)).toEqual({ status, data });
  });

  it.each<[what: string, stored: Json]>([
    ['not a document', 'text'],
    ['of version 0', { version: 0, data: { text: '' } }],
    ['without data', { version: 3 }],
    ['not what the schema wants', { version: 3, data: { lines: [], color: 'green' } }],
    ['not readable by a migration', { version: 1, data: null }],
    ['not what the schema wants once migrated', { version: 2, data: { lines: 5 } }],
    ['with a member that validation would drop', { version: 3, data: { ...specimen.initial, prototype: 1 } }],
  ])('that is %s cannot be read', (_what, stored) => {
    expect(readDocument(specimen, stored)).toMatchObject({ status: 'invalid', data: specimen.initial });
  });

  it('is read without an exception as data that fits its schema, whatever is stored', () => {
    const all: readonly Document<unknown>[] = [specimen, quarantine, ...Object.values(documents)];
    const version = fc.oneof(fc.integer({ min: -1, max: 5 }), fc.jsonValue());
    const members = fc.constantFrom('theme', 'text', 'lines', 'color', 'document', 'at');
    const values = fc.oneof(fc.constantFrom('dark', 'red', 7), fc.array(fc.string()), fc.jsonValue());
    const contents = fc.oneof(
      fc.dictionary(members, values),
      fc.array(fc.dictionary(members, values)),
      values,
    );
    const envelope = fc.record({ version, data: contents }, { requiredKeys: [] });

    fc.assert(
      fc.property(fc.constantFrom(...all), fc.oneof(envelope, fc.jsonValue()), (document, stored) => {
        const before = JSON.stringify(stored);

        const { data } = readDocument(document, stored as Json);

        expect(v.is(document.schema, data)).toBe(true);
        expect(JSON.stringify(stored)).toBe(before);
      }),
      { numRuns: 5_000 },
    );
  });
});

describe('when the background starts', () => {
  it.each(['before-commit', 'after-commit'] as const)(
    'documents are migrated or go to quarantine once, also when it dies %s',
    async (point) => {
      const world = createWorld({ specimen: DAMAGED, other: OLD }, [specimen, { ...specimen, key: 'other' }]);
      world.killWorkerAt(point);

      await wake(world);
      world.killWorker();
      await wake(world);

      expect(world.starts()).toBeGreaterThan(2);
      expect(contentOf(world)).toEqual({
        specimen: INITIAL,
        other: MIGRATED,
        quarantine: {
          version: 2,
          data: [{ document: 'specimen', at: expect.any(Number), text: JSON.stringify(DAMAGED) }],
        },
      });
    },
  );

  it.each<[what: string, stored: Json]>([
    ['what fits its schema and cannot be stored', { version: 3, data: { lines: [HALF], color: 'red' } }],
    ...[96, 97, 98, 300].map((depth): [string, Json] => [`what is nested ${depth} deep`, nested(depth)]),
  ])('%s goes to quarantine as it was found', async (_what, stored) => {
    const world = createWorld({ specimen: stored });

    await wake(world);

    expect(world.disk.read('specimen')).toEqual(INITIAL);
    expect(world.disk.read('quarantine')).toMatchObject({
      data: [{ document: 'specimen', text: JSON.stringify(stored) }],
    });
  });

  it.each<[what: string, stored: Json, kept: object]>([
    ['unreadable', 'not a list', { document: 'quarantine', at: 0, text: '"not a list"' }],
    [
      'of an older version',
      { version: 1, data: [{ document: 'specimen', at: 5, value: ['old'] }] },
      { document: 'specimen', at: 5, text: '["old"]' },
    ],
  ])('a quarantine that is %s keeps what it has', async (_what, stored, kept) => {
    const world = createWorld({ specimen: DAMAGED, quarantine: stored });

    await wake(world);

    expect(world.disk.read('quarantine')).toEqual({
      version: 2,
      data: [kept, { document: 'specimen', at: expect.any(Number), text: JSON.stringify(DAMAGED) }],
    });
  });

  it.each<[what: string, stored: Readonly<Record<string, Json>>]>([
    ['a document of a newer version', { specimen: { version: 4, data: { lines: [], color: 'green' } } }],
    ['what it does not know, next to what is as it should be', { specimen: MIGRATED, stranger: 'kept' }],
    [
      'an unreadable document under the quarantine of a newer version',
      { specimen: DAMAGED, quarantine: { version: 3, data: {} } },
    ],
  ])('%s is not written to', async (_what, stored) => {
    const world = createWorld(stored);
    world.disk.failWrites(new Error('nothing may be written'));

    await wake(world);

    expect(contentOf(world)).toEqual(stored);
    expect(world.logged.size, 'the mutation that waits, and nothing else').toBe(1);
  });
});

type World = MemoryWorld<typeof counterContract>;

function createWorld(
  stored: Readonly<Record<string, Json>>,
  known: readonly Document<unknown>[] = [specimen],
) {
  const world = createMemoryWorld({
    contract: counterContract,
    handlers: {
      ...counterHandlers,
      // Waits, as every mutation does, until the documents are in order.
      'counter.add': async ({ state }) => {
        await openDocument(state, { ...specimen, key: 'unrelated' });
        throw new Error('waited');
      },
    },
    prepare: (state) => migrateDocuments(known, state),
  });
  for (const [key, value] of Object.entries(stored)) world.disk.write(key, value);
  return world;
}

/** Makes a background start, and waits until it has come to the first mutation. */
async function wake(world: World): Promise<void> {
  const { client, close } = world.openPage('options');
  await client.mutate('counter.add', 1).catch(() => undefined);
  close();
}

function contentOf({ disk }: World): Readonly<Record<string, Json>> {
  return Object.fromEntries(disk.keys().map((key) => [key, disk.read(key) ?? null]));
}

function nested(depth: number): Json {
  return JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`) as Json;
}
