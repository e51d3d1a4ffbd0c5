import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

import { findWrongClaims, projectFiles } from './find-wrong-claims.ts';

const documents = projectFiles().filter((file) => /^(?:docs\/.*|[^/]*)\.md$/.test(file));

describe('every path, command and link is right', () => {
  it.each(documents)('in %s', (document) => {
    expect(findWrongClaims(document, readFileSync(document, 'utf8'))).toEqual([]);
  });

  it('in the README, the specification gaps and the changelog too', () => {
    expect(documents).toEqual(expect.arrayContaining(['CHANGELOG.md', 'README.md', 'SPEC_GAPS.md']));
  });
});

describe('what is wrong is noticed', () => {
  it.each([
    'a file: `src/contract/contracts.ts`',
    'a file of a folder that is not there: `scr/contract/contract.ts`',
    'a file without its folder: `serve-ports.ts`',
    'a folder: `src/popups/`',
    'a folder at the top: `sources/`',
    'a folder without a slash: `src/popups`',
    'a file in the wrong folder: `src/ui/serve.ts`',
    'a pattern: `tests/browser/{memory-page,memory-pages}.test.ts`',
    'a script: `npm run tests`',
    'a script behind another command: `npm ci && npm run bnech`',
    'a script as a command of npm: `npm bench`',
    'a flag: `npm start -- --head`',
    'a flag of another script: `npm run package -- --headless`',
    'a flag alone: `-- --head`',
    'a browser: `npm start -- --browser safari`',
    'a tool: `npx oxlints`',
    'a file to run: `node --import tsx scripts/built.ts`',
    'a block:\n\n```sh\nnpm ci && npm run tests # all\n```',
    'a table:\n\n| `npm run tests` | all |\n|---|---|',
    'a link: [state](stat.md)',
    'a link to a heading: [state](state.md#the-live-of-a-document)',
    'a link within: [below](#bellow)\n\n## Below',
    'a picture: ![the popup](images/pop-up.png)',
    'a picture of two: <img src="images/pop-up.png">',
    'an address without encryption: [docs](http://example.org/)',
  ])('%s', (markdown) => {
    expect(findWrongClaims('docs/planted.md', markdown)).toHaveLength(1);
  });
});

describe('what is right passes', () => {
  it.each([
    '`src/contract/contract.ts`, `contract.ts`, `src/popup/`, `src/popup`, `manifest.json`, `.ci/run`',
    '`tests/browser/{memory-world,memory-worker}.test.ts`, `dist/chromium`, `dist/packages/`, `src/*/main.tsx`',
    '`npm run bench -- --browser firefox --quick`, `npm test`, `npm ci`, `-- --headless`, `npx tsc`',
    '`storage.local`, `chrome://extensions`, `text/html`, `1/2`, `read/write`, `...`, `/`',
    '[state](state.md), [top](../README.md), [life](state.md#the-life-of-a-document), [here](#here)\n\n## Here!',
    '[folder](images), ![popup](images/popup.png), [web](https://example.org/a#b)',
    '```ts src/popup/new-one.ts\n```\n\nmakes `src/popup/new-one.ts`',
  ])('%s', (markdown) => {
    expect(findWrongClaims('docs/planted.md', markdown)).toEqual([]);
  });
});
