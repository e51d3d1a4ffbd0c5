import { expect, vi } from 'vitest';

import { everyCall, type ProcedureName } from './every-call.ts';
import type { RawPort } from './memory-world.ts';

/** Returns the frame of a page's first call. `parts` replace members of the well-formed frame. */
export function callOf(name: ProcedureName, parts: object = {}): object {
  return { ...everyCall.find((call) => call.name === name), id: 1, sentAt: Date.now(), ...parts };
}

/** Posts each frame as its own message. Returns an answer for each, or fewer if the port is closed before all are answered. */
export async function ask(port: RawPort, ...frames: readonly unknown[]): Promise<readonly unknown[]> {
  const before = port.received.length;
  for (const frame of frames) port.post(frame);
  await vi.waitFor(
    () => expect(port.isClosed() || port.received.length >= before + frames.length).toBe(true),
    { interval: 1 },
  );
  return port.received.slice(before);
}

/** Makes a call over a new port of the page. Returns `answered`, the code of its error, `refused`, or `closed` if there is no answer. */
export async function outcomeOfFrame(page: { openRawPort: () => RawPort }, frame: unknown): Promise<string> {
  const [answer] = (await ask(page.openRawPort(), frame)) as {
    readonly kind: string;
    readonly error?: { readonly code: string };
  }[];
  if (answer === undefined) return 'closed';
  return answer.kind === 'refused' ? 'refused' : (answer.error?.code ?? 'answered');
}
