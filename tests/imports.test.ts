import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { parseSync } from 'vite';
import { describe, expect, it } from 'vitest';

describe('imports point one way', () => {
  it('in every file of src', () => {
    const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
      .map((path) => `src/${path.replaceAll('\\', '/')}`)
      .filter((path) => /\.tsx?$/.test(path) && !path.endsWith('.d.ts'));

    const forbidden = files.flatMap((path) => forbiddenImports(path, readFileSync(path, 'utf8')));

    expect(files).toContain('src/contract/contract.ts');
    expect(forbidden).toEqual([]);
  });

  it.each([
    ['src/messaging/server/server.ts', "import browser from 'webextension-polyfill';"],
    ['src/messaging/server/server.ts', "import type { Theme } from '../../contract/preferences.ts';"],
    ['src/contract/contract.ts', "export * from '../background/handlers.ts';"],
    ['src/ui/text.ts', "const browser = await import('webextension-polyfill');"],
    ['src/popup/popup.tsx', "import { connectToWorker } from '../platform/port.ts';"],
    ['src/popup/start.ts', "import { createHandlers } from '../background/handlers.ts';"],
    ['src/other/thing.ts', "import { createServer } from '../messaging/server/server.ts';"],
  ])('and a planted violation is caught: in %s, %s', (path, source) => {
    expect(forbiddenImports(path, source)).toHaveLength(1);
  });
});

const PAGE = ['ui', 'messaging', 'contract', 'react', 'react-dom', 'SPEC_GAPS.md'];

/**
 * Who may import whom, besides itself. `main` stands for the entry files, and for the `start` that one of them begins
 * with: the only place where adapters are joined.
 */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  messaging: ['@standard-schema/spec'],
  contract: ['messaging', 'valibot'],
  platform: ['messaging', 'contract', 'webextension-polyfill'],
  background: ['messaging', 'contract', 'valibot'],
  ui: ['messaging', 'contract', 'react', 'react-dom', 'SPEC_GAPS.md', 'static'],
  popup: PAGE,
  options: [...PAGE, '@tanstack/react-virtual', 'uplot'],
};

const FOR_MAIN = ['platform', 'SPEC_GAPS.md'];

/** Every import in one file of `src/` that the table does not allow, as `from → what`. */
function forbiddenImports(path: string, source: string): string[] {
  const layer = path.split('/')[1] ?? '';
  const allowed = [layer, ...(ALLOWED[layer] ?? []), ...(/\/(main|start)\.tsx?$/.test(path) ? FOR_MAIN : [])];

  return specifiersIn(path, source)
    .filter((specifier) => !allowed.includes(targetOf(path, specifier)))
    .map((specifier) => `${path} → ${specifier}`);
}

/** Everything that a file names in an import or an export, of types and by `import()` too. */
function specifiersIn(path: string, source: string): string[] {
  const { module, errors } = parseSync(path, source);
  if (errors.length > 0) throw new Error(`${path} cannot be read: ${errors[0]?.message}`);

  const exported = module.staticExports.flatMap(({ entries }) =>
    entries.flatMap(({ moduleRequest }) => moduleRequest?.value ?? []),
  );
  const called = module.dynamicImports.map(({ moduleRequest: { start, end } }) =>
    source.slice(start, end).replaceAll(/^['"`]|['"`]$/g, ''),
  );
  return [...module.staticImports.map(({ moduleRequest }) => moduleRequest.value), ...exported, ...called];
}

/** The layer or the package that a specifier leads to. */
function targetOf(path: string, specifier: string): string {
  if (!specifier.startsWith('.')) return specifier.match(/^(@[^/]+\/)?[^/]+/)?.[0] ?? specifier;

  const target = posix.join(posix.dirname(path), specifier.replace(/\?.*/, ''));
  return target.startsWith('src/') ? (target.split('/')[1] ?? '') : target;
}
