import { unzipSync } from 'fflate';
import { afterEach, describe, expect, it, vi } from 'vitest';

import { createZip } from '../../scripts/package-project.ts';

const FILES = [
  ['src/b.js', 'b'],
  ['a.json', '{}'],
] as const;

describe('a package', () => {
  afterEach(() => {
    vi.unstubAllEnvs();
  });

  it('is the same, byte by byte, in whatever order, time zone and year it is made', () => {
    const once = createZip(filesIn(FILES));

    vi.stubEnv('TZ', 'Pacific/Kiritimati');
    vi.useFakeTimers({ now: new Date('2031-07-01') });
    const again = createZip(filesIn(FILES.toReversed()));
    vi.useRealTimers();

    expect(Buffer.from(again).equals(Buffer.from(once))).toBe(true);
  });

  it('holds what was put in', () => {
    const unpacked = unzipSync(createZip(filesIn(FILES)));

    expect(Object.keys(unpacked)).toEqual(['a.json', 'src/b.js']);
    expect(Buffer.from(unpacked['src/b.js'] ?? []).toString()).toBe('b');
  });
});

function filesIn(entries: readonly (readonly [string, string])[]): ReadonlyMap<string, Uint8Array> {
  return new Map(entries.map(([path, text]) => [path, Buffer.from(text)]));
}
