import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { copyProject, runInCopy } from '../../support/project-copy.ts';
import { type Files, writeFiles } from '../../support/temporary-folder.ts';

interface Refusal {
  readonly what: string;
  readonly changes: Files;
  readonly message: RegExp;
}

const refusals: readonly Refusal[] = [
  {
    what: 'a page that imports a background, with the names of both files',
    changes: {
      'src/features/planted/planted.background.ts': 'export const planted = 1;\n',
      'src/popup/main.tsx': (text) =>
        `import { planted } from '../features/planted/planted.background.ts';\n${text}\nconsole.log(planted);\n`,
    },
    message:
      /src\/popup\/main\.tsx brings \S*src\/features\/planted\/planted\.background\.ts into a page\. Import only its types/u,
  },
  {
    // https://github.com/crxjs/chrome-extension-tools/issues/592
    what: '`import()` in a content script',
    changes: { 'src/features/planted/content.ts': "void import('../../callers.ts').then(console.log);\n" },
    message:
      /src\/features\/planted\/content\.ts uses `import\(\)` or `import\.meta`, .* Import the module at the top of the file,/u,
  },
  {
    what: '`import.meta.url` of a content script',
    changes: { 'src/features/planted/content.ts': 'console.log(import.meta.url);\n' },
    message:
      /src\/features\/planted\/content\.ts uses `import\(\)` or `import\.meta`, which a classic script does not have\./u,
  },
  {
    what: 'a content script that imports styles and does not use them',
    changes: {
      'src/features/planted/panel.css': '.panel { --color: b }',
      'src/features/planted/content.ts': "import './panel.css';\n",
    },
    message: /planted\/content\.ts imports styles, and does not give them to its shadow root\./u,
  },
  {
    what: 'a background that imports styles',
    changes: {
      'src/features/planted/panel.css': '.panel { --color: b }',
      'src/background/main.ts': (text) => `${text}\nimport '../features/planted/panel.css';\n`,
    },
    message: /src\/background\/main\.ts must become one file, but imports .*\.css\./u,
  },
  {
    what: 'a variable that no .env file has, with its place',
    changes: { 'src/features/planted/content.ts': '\nconsole.log(import.meta.env.VITE_NONE);\n' },
    message:
      /src\/features\/planted\/content\.ts:2 reads VITE_NONE, which \.env and \.env\.production do not have\./u,
  },
  {
    // https://github.com/crxjs/chrome-extension-tools/issues/863
    what: 'a content script with a large image, which it would look for on the web page',
    changes: {
      'src/features/planted/large.svg': `<svg xmlns="http://www.w3.org/2000/svg"/><!--${'x'.repeat(5_000)}-->`,
      'src/features/planted/content.ts': "import large from './large.svg';\nconsole.log(large);\n",
    },
    message: /planted\/content\.ts must become one file, but imports assets\/large/u,
  },
  {
    what: 'a background that throws at its start, with its error',
    changes: {
      'src/features/planted/background.ts':
        "import { defineDocument, defineFeature } from '../../define.ts';\n" +
        "import * as v from 'valibot';\n" +
        "const one = defineDocument({ key: 'planted', schema: v.number(), initial: 0 });\n" +
        "const two = defineDocument({ key: 'planted', schema: v.number(), initial: 1 });\n" +
        'export const plantedFeature = defineFeature({ documents: [one, two] });\n',
      'src/background/features.ts': (text) =>
        `import { plantedFeature } from '../features/planted/background.ts';\n${text}`.replace(
          '  aboutFeature,\n',
          '  aboutFeature,\n  plantedFeature,\n',
        ),
    },
    message:
      /worker\.js throws an error at its start, so no page can reach the background: TypeError: Two documents or collections have the key "planted"\./u,
  },
];

/** Builds with the files of each refusal, one after the other in one process. Prints the messages as JSON. */
const TRY = `
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { buildExtension } from './scripts/build-extension.ts';

const messages = [];
for (const files of JSON.parse(readFileSync('refusals.json', 'utf8'))) {
  const before = Object.keys(files).map((path) => [path, existsSync(path) ? readFileSync(path) : undefined]);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  messages.push(await buildExtension('chromium').catch((error) => error.message));
  for (const [path, text] of before) text === undefined ? rmSync(path) : writeFileSync(path, text);
}
writeFileSync('messages.json', JSON.stringify(messages));
`;

describe('a build refuses', () => {
  let folder = '';
  let messages: readonly string[] = [];

  beforeAll(async () => {
    folder = await copyProject();
    const all = await Promise.all(refusals.map(({ changes }) => changedFiles(folder, changes)));
    await writeFiles(folder, { 'try.ts': TRY, 'refusals.json': JSON.stringify(all) });
    await runInCopy(folder, 'tsx/dist/cli.mjs', 'try.ts');
    messages = JSON.parse(await readFile(join(folder, 'messages.json'), 'utf8')) as readonly string[];
  });

  afterAll(() => rm(folder, { recursive: true, force: true }));

  it.each(refusals.map(({ what, message }, index) => [what, message, index] as const))(
    '%s',
    (_what, message, index) => {
      expect(messages[index]).toMatch(message);
    },
  );
});

/** Returns the texts that files of a folder have after changes. */
async function changedFiles(folder: string, changes: Files): Promise<Files> {
  const texts = Object.entries(changes).map(async ([path, change]) => [
    path,
    typeof change === 'function' ? change(await readFile(join(folder, path), 'utf8')) : change,
  ]);
  return Object.fromEntries(await Promise.all(texts)) as Files;
}
