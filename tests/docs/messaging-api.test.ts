import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it, vi } from 'vitest';
import { alarms } from 'webextension-polyfill';

import { listSource } from '../../scripts/source-files.ts';
import { projectFolder } from '../../scripts/project-folder.ts';
import { runInCopy } from '../support/project-copy.ts';

// Commands take some seconds on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const reference = await read('docs/messaging-api.md');
/** A folder with the examples as one module next to the real core and adapters. */
const folder = join(projectFolder, '.cache/docs');
const module = 'src/examples/messaging-api.md.ts';

await rm(folder, { recursive: true, force: true });
await mkdir(join(folder, 'src/examples'), { recursive: true });
for (const part of ['messaging', 'platform']) {
  await symlink(join(projectFolder, 'src', part), join(folder, 'src', part), 'junction');
}
await writeFile(join(folder, module), examplesOf(reference));

it('the examples of docs/messaging-api.md compile', async () => {
  const config = {
    extends: '../../tsconfig.json',
    compilerOptions: { noUnusedLocals: false },
    files: [module],
    include: [],
  };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config));

  // Rejects with the compiler's errors.
  expect(await runInCopy(folder, 'typescript/bin/tsc')).toBe('');
});

it('the examples of docs/messaging-api.md print what their comments say', async () => {
  const printed = vi.spyOn(console, 'info').mockReturnValue();
  const logged = vi.spyOn(console, 'error').mockReturnValue();
  const requests = vi.fn<typeof fetch>(async () => new Response(null, { status: 204 }));
  vi.stubGlobal('fetch', requests);
  // A module is loaded too late for listeners.
  vi.spyOn(alarms.onAlarm, 'addListener').mockReturnValue();

  await import(pathToFileURL(join(folder, module)).href);

  const comments = reference.matchAll(/console\.info\(.*\); \/\/ (.*)$/gm);
  expect(printed.mock.calls.map((values) => values.join(' '))).toEqual(
    Array.from(comments, ([, comment]) => comment),
  );
  await vi.waitFor(() => expect(requests).toHaveBeenCalledOnce());
  expect(logged.mock.calls.map(([, error]) => String(error))).toEqual([
    expect.stringContaining(
      'stranger.html (origin chrome-extension://my-id) is not in the table of callers.',
    ),
  ]);
});

it('docs/messaging-api.md names everything that the rest of src imports from the core', async () => {
  const paths = (await listSource(projectFolder)).filter((path) =>
    /^src\/(?!messaging\/).*\.tsx?$/.test(path),
  );
  const sources = await Promise.all(paths.map(read));
  const imports = /import (?:type )?\{([^}]*)\} from '[^']*\/messaging\/[^']*'/g;
  const lists = sources.flatMap((source) => Array.from(source.matchAll(imports), ([, list = '']) => list));
  const names = new Set(lists.join().match(/\b(?!type\b)\w+/g));

  expect([...names].filter((name) => !new RegExp(`\\b${name}\\b`).test(reference))).toEqual([]);
  expect(names.size).toBeGreaterThan(0);
});

function read(path: string): Promise<string> {
  return readFile(join(projectFolder, path), 'utf8');
}

/** Returns the blocks of TypeScript. Each keeps its line, so that an error names the line of the document. */
function examplesOf(markdown: string): string {
  let isExample = false;
  const lines = markdown.split('\n').map((line) => {
    if (!line.startsWith('```')) return isExample ? line : '';
    isExample = line === '```ts';
    return '';
  });
  return lines.join('\n');
}
