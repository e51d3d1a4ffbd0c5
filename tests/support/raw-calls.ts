import { expect, vi } from 'vitest';

import { everyCall, type ProcedureName } from './every-call.ts';
import type { RawPort } from './memory-world.ts';

/** The first call of a page, of this procedure of the test contract, with these parts changed. */
export function callOf(name: ProcedureName, parts: object = {}): object {
  return { ...everyCall.find((call) => call.name === name), id: 1, sentAt: Date.now(), ...parts };
}

/** Posts frames, each as its own message, and returns one answer for each, or those that came before the port was closed. */
export async function ask(port: RawPort, ...frames: readonly unknown[]): Promise<readonly unknown[]> {
  const before = port.received.length;
  for (const frame of frames) port.post(frame);
  await vi.waitFor(
    () => expect(port.isClosed() || port.received.length >= before + frames.length).toBe(true),
    { interval: 1 },
  );
  return port.received.slice(before);
}

/** The end of a call over a new port of this page: `answered`, the code of its error, or `closed` without an answer. */
export async function outcomeOf(page: { openRawPort: () => RawPort }, frame: unknown): Promise<string> {
  const [answer] = (await ask(page.openRawPort(), frame)) as { readonly error?: { readonly code: string } }[];
  return answer === undefined ? 'closed' : (answer.error?.code ?? 'answered');
}
