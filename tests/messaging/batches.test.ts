import { describe, expect, it, vi } from 'vitest';

import { createClient } from '../../src/messaging/client/client.ts';
import { createOutbox } from '../../src/messaging/wire.ts';
import type { Port } from '../../src/messaging/wire.ts';
import { createCounterWorld } from '../support/counter-world.ts';
import type { counterContract } from '../support/counter.ts';
import { createPortPair } from '../support/memory-world.ts';
import { rejectionOf } from '../support/rejection-of.ts';

describe('frames that are posted in one turn', () => {
  it('travel as one message, in order', async () => {
    const [near, far] = createPortPair('json');
    const messages: unknown[] = [];
    far.onMessage((message) => messages.push(message));

    const post = createOutbox(near, () => {});
    post({ id: 1 });
    post({ id: 2 });
    await nextTask();
    post({ id: 3 });
    await nextTask();

    expect(messages).toEqual([[{ id: 1 }, { id: 2 }], [{ id: 3 }]]);
  });

  it('travel one by one when the browser refuses them together', async () => {
    const taken: unknown[] = [];
    const refused: unknown[] = [];

    const post = createOutbox(narrowPort(taken), (frame) => refused.push(frame));
    post('one');
    post('much too long');
    post('two');
    await nextTask();

    expect(taken).toEqual([['one'], ['two']]);
    expect(refused).toEqual(['much too long']);
  });

  it('are answered together', async () => {
    const port = createCounterWorld().openPage('popup').openRawPort();
    const messages: unknown[] = [];
    port.onMessage((message) => messages.push(message));
    const ids = Array.from({ length: 100 }, (_, index) => index + 1);

    port.post(...ids.map((id) => ({ kind: 'query', id, name: 'counter.read', attempt: 1, timeout: 30_000 })));
    await vi.waitFor(() => expect(messages.flat().length).toBeGreaterThanOrEqual(ids.length));

    expect(messages).toEqual([ids.map((id) => expect.objectContaining({ kind: 'value', id, value: 0 }))]);
  });
});

describe('a frame that the browser refuses alone', () => {
  it('ends the call that it was to open, which was not sent', async () => {
    const [near] = createPortPair('json');
    const { query } = createClient<typeof counterContract>(() => ({ ...near, post: () => false }));

    const error = await rejectionOf(query('counter.read'));

    expect(error).toMatchObject({ code: 'TOO_LARGE', delivery: 'not-sent' });
  });

  it('ends the call that it was to answer in a failure of the background', async () => {
    const world = createCounterWorld(
      {},
      { patchPort: (port) => ({ ...port, post: (message) => !isLong(message) && port.post(message) }) },
    );

    const error = await rejectionOf(world.openPage('options').client.query('blob.echo', 'x'.repeat(2_000)));

    expect(error).toMatchObject({ code: 'INTERNAL', delivery: 'handled' });
    expect(String(world.logged.get(error.incident ?? ''))).toContain('refused an answer');
  });
});

/** Takes messages of one short frame alone. */
function narrowPort(taken: unknown[]): Port {
  const [near] = createPortPair('json');
  return {
    ...near,
    post: (message) => {
      const frames = message as readonly string[];
      if (frames.join('').length > 5) return false;
      taken.push(frames);
      return true;
    },
  };
}

function isLong(message: unknown): boolean {
  return JSON.stringify(message).length > 2_000;
}

function nextTask(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}
