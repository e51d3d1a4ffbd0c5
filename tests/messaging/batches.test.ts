import { describe, expect, it, vi } from 'vitest';

import { batchFrames } from '../../src/messaging/batch-frames.ts';
import type { Port } from '../../src/messaging/port.ts';
import { createCounterWorld } from '../support/counter-world.ts';
import { createPortPair } from '../support/memory-port.ts';

describe('what is posted in one turn travels as one message', () => {
  it('and arrives frame by frame, in order', async () => {
    const [near, far] = createPortPair('json');
    const messages: unknown[] = [];
    const frames: unknown[] = [];
    far.onMessage((message) => messages.push(message));
    batchFrames(far).onMessage((frame) => frames.push(frame));

    const { post } = batchFrames(near);
    post({ id: 1 });
    post({ id: 2 });
    await nextTask();
    post({ id: 3 });
    await nextTask();

    expect(messages).toEqual([[{ id: 1 }, { id: 2 }], { id: 3 }]);
    expect(frames).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }]);
  });

  it('or frame by frame when it is more than the wire takes at once', async () => {
    const { port, taken } = createNarrowPort();

    const { post } = batchFrames(port);
    post({ id: 1 });
    post({ id: 2 });
    await nextTask();

    expect(taken).toEqual([{ id: 1 }, { id: 2 }]);
  });

  it('before a disconnect, too', async () => {
    const [near, far] = createPortPair('json');
    const messages: unknown[] = [];
    far.onMessage((message) => messages.push(message));

    const { post, disconnect } = batchFrames(near);
    post({ id: 1 });
    disconnect();
    await nextTask();

    expect(messages).toEqual([{ id: 1 }]);
  });

  it('so that calls made together are answered together', async () => {
    const port = createCounterWorld().openPage('popup').openRawPort();
    const messages: unknown[] = [];
    port.onMessage((message) => messages.push(message));
    const ids = Array.from({ length: 100 }, (_, index) => index + 1);

    port.post(ids.map((id) => ({ kind: 'query', id, name: 'counter.read', attempt: 1, timeout: 1_000 })));
    await vi.waitFor(() => expect(messages.flat().length).toBeGreaterThanOrEqual(ids.length));

    const answers = messages.filter((message) => Array.isArray(message));
    expect(answers).toEqual([ids.map((id) => expect.objectContaining({ kind: 'value', id, value: 0 }))]);
  });
});

/** Takes no message of more than one frame. */
function createNarrowPort(): { readonly port: Port; readonly taken: unknown[] } {
  const [near] = createPortPair('json');
  const taken: unknown[] = [];
  const post = (message: unknown): boolean => !Array.isArray(message) && taken.push(message) > 0;
  return { port: { ...near, post }, taken };
}

function nextTask(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}
