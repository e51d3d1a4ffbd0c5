import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { onTestFinished } from 'vitest';

/** A folder of its own for one test, gone when the test is over. */
export interface TemporaryProject {
  readonly root: string;
  write(name: string, text: string): void;
}

/** Takes the files by name. To be called within a test. */
export function createTemporaryProject(files: Readonly<Record<string, string>>): TemporaryProject {
  // The real path: Vite resolves links, and macOS keeps its temporary folder behind one.
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'spec-gaps-')));
  onTestFinished(() => rmSync(root, { recursive: true }));

  const write = (name: string, text: string) => writeFileSync(join(root, name), text);
  for (const [name, text] of Object.entries(files)) write(name, text);
  return { root, write };
}
