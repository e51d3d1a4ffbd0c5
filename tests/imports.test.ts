import { readdirSync, readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { forbiddenImports } from './support/forbidden-imports.ts';

describe('imports point one way', () => {
  it('in every file of src', () => {
    const files = sourceFiles();

    const forbidden = files.flatMap((path) => forbiddenImports(path, readFileSync(path, 'utf8')));

    expect(files.length).toBeGreaterThan(40);
    expect(forbidden).toEqual([]);
  });

  it.each([
    ['src/messaging/server/server.ts', "import browser from 'webextension-polyfill';"],
    ['src/messaging/server/server.ts', "import type { Theme } from '../../contract/preferences.ts';"],
    ['src/messaging/server/server.ts', "import { useState } from 'react';"],
    ['src/contract/contract.ts', "import { t } from '../ui/text.ts';"],
    ['src/contract/contract.ts', "export * from '../background/handlers.ts';"],
    ['src/background/handlers.ts', "import { browserStore } from '../platform/store.ts';"],
    ['src/background/handlers.ts', "import browser from 'webextension-polyfill';"],
    ['src/ui/text.ts', "const browser = await import('webextension-polyfill');"],
    ['src/ui/points.tsx', "import { Popup } from '../popup/popup.tsx';"],
    ['src/popup/popup.tsx', "import { Options } from '../options/options.tsx';"],
    ['src/popup/popup.tsx', "import { connectToWorker } from '../platform/port.ts';"],
    ['src/popup/start.ts', "import { createHandlers } from '../background/handlers.ts';"],
    ['src/options/about.tsx', "import { documents } from '../background/documents.ts';"],
    ['src/platform/port.ts', "import { useState } from 'react';"],
    ['src/other/thing.ts', "import { createServer } from '../messaging/server/server.ts';"],
    ['src/ui/a.ts', "import { readFile } from 'node:fs';"],
    ['src/ui/a.ts', "import { launch } from '../../scripts/browsers/launch.ts';"],
  ])('and a planted violation is caught: in %s, %s', (path, source) => {
    expect(forbiddenImports(path, source)).toHaveLength(1);
  });

  it.each([
    ['src/popup/start.ts', "import { connectToWorker } from '../platform/port.ts';"],
    ['src/ui/calls.ts', "import type { Client } from '../messaging/client/client.ts';"],
    ['src/platform/port.ts', "import browser from 'webextension-polyfill';"],
  ])('and what the table allows passes: in %s, %s', (path, source) => {
    expect(forbiddenImports(path, source)).toEqual([]);
  });
});

function sourceFiles(): string[] {
  return readdirSync('src', { recursive: true, encoding: 'utf8' })
    .map((path) => `src/${path.replaceAll('\\', '/')}`)
    .filter((path) => /\.tsx?$/.test(path) && !path.endsWith('.d.ts'));
}
