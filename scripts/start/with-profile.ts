import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Runs with a new, empty profile folder, which is removed afterwards. */
export async function withProfile(run: (profile: string) => Promise<void>): Promise<void> {
  const profile = await mkdtemp(join(tmpdir(), 'extension-profile-'));
  try {
    await run(profile);
  } finally {
    // A browser that has just ended may still hold a file for a moment, on Windows above all.
    await rm(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }
}
