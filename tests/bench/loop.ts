import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';

import { type BrowserName, browserNames } from '../../scripts/browsers/find-browser.ts';
import { patience, type RunningExtension, type View } from '../../scripts/browsers/running-extension.ts';
import { copyProject } from '../support/project-copy.ts';

// npm run bench:loop: prints the milliseconds from saving a file until a page of `npm start` shows the edit. Works on a copy of
// the project.
const EDITS = 10;
const OPTIONS = 'src/options/index.html';

interface Edited {
  readonly name: string;
  readonly path: string;
  readonly change: (text: string, mark: string) => string;
  /** Returns `true` if the page shows the mark. Runs inside the page. */
  readonly isShown: (mark: string) => boolean;
}

const edits: readonly Edited[] = [
  {
    name: 'a component',
    path: 'src/options/options.tsx',
    change: (text, mark) => text.replace('<main', `<main data-edit="${mark}"`),
    isShown: (mark) => document.querySelector(`[data-edit="${mark}"]`) !== null,
  },
  {
    name: 'a CSS module',
    path: 'src/options/options.module.css',
    change: (text, mark) => `${text}:root { --module: ${mark} }`,
    isShown: (mark) => getComputedStyle(document.documentElement).getPropertyValue('--module') === mark,
  },
  {
    name: 'a style sheet',
    path: 'src/ui/base.css',
    change: (text, mark) => `${text}:root { --sheet: ${mark} }`,
    isShown: (mark) => getComputedStyle(document.documentElement).getPropertyValue('--sheet') === mark,
  },
  {
    name: 'the background',
    path: 'src/features/about/background.ts',
    change: (text, mark) => `${text}\nvoid chrome.storage.local.set({ mark: '${mark}' });`,
    isShown: (mark) => document.documentElement.dataset['stored'] === mark,
  },
];

for (const browser of browserNames) {
  const project = await copyProject();
  const { develop } = (await import(
    pathToFileURL(join(project, 'scripts/develop/develop.ts')).href
  )) as typeof import('../../scripts/develop/develop.ts');
  const start = performance.now();
  const extension = await new Promise<RunningExtension>((onShown, reject) => {
    develop(browser, { headless: true, limit: patience, onShown }).catch(reject);
  });
  console.log(`${browser}: shown ${Math.round(performance.now() - start)} ms after the start`);
  for (const edited of edits) await measure(browser, extension, project, edited);
  await extension.close();
  await rm(project, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
}
process.exit();

async function measure(browser: BrowserName, extension: RunningExtension, project: string, edited: Edited) {
  const file = join(project, edited.path);
  const text = await readFile(file, 'utf8');
  const times: number[] = [];
  for (let edit = 0; edit < EDITS; edit += 1) {
    const mark = `e${edit}`;
    const start = performance.now();
    await writeFile(file, edited.change(text, mark));
    while (!(await isShown(extension, edited, mark))) await sleep(10);
    times.push(performance.now() - start);
    await sleep(500);
  }
  await writeFile(file, text);
  await sleep(1_000);
  const sorted = times.map(Math.round).toSorted((a, b) => a - b);
  const range = `${sorted[0]} to ${sorted.at(-1)}`;
  console.log(`${browser}: ${edited.name}: median ${sorted[EDITS / 2]} ms, ${range}, ${EDITS} edits`);
}

async function isShown(
  extension: RunningExtension,
  { isShown: isMarked }: Edited,
  mark: string,
): Promise<boolean> {
  let view: View;
  try {
    // The browser may have closed the page.
    view = await extension.findView(OPTIONS);
    await view.evaluate(async () => {
      const { mark: stored } = await chrome.storage.local.get('mark');
      document.documentElement.dataset['stored'] = String(stored);
    });
    return await view.evaluate(isMarked, mark);
  } catch {
    return false;
  }
}
