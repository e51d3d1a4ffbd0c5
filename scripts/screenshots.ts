import { mkdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';

import { buildGallery, galleryPage, missingStates } from '../tests/gallery/build-gallery.ts';
import { parseBrowser } from './browsers/find-browser.ts';
import { launchExtension } from './browsers/launch-extension.ts';
import { type Emulation, pollUntil, type RunningExtension, type View } from './browsers/running-extension.ts';
import { runCommand } from './command.ts';
import { projectFolder } from './project-folder.ts';

interface Picture {
  /** From the top of the project. */
  readonly file: string;
  /** The query of the gallery's page, see tests/gallery/main.tsx. */
  readonly query: string;
  /** Of the window, in CSS px. What needs scrolling is in the picture too. */
  readonly width: number;
  readonly height: number;
}

/** A state with a picture for the stores. */
interface StorePicture {
  readonly name: string;
  readonly query: string;
}

const POPUP = 'popup: background awake';

/** All states: light, dark, as narrow as pages get, and from right to left; two options pages side by side. */
const states = Object.entries({
  light: 'theme=light',
  dark: 'theme=dark',
  narrow: 'theme=light&width=320',
  rtl: 'theme=light&text=mirrored',
}).map(([name, query]) => ({
  file: `dist/screenshots/states/${name}.png`,
  query,
  width: 2_112,
  height: 1_200,
}));

/** Pictures for the stores, in the size that they ask for. */
function storePictures(options: readonly StorePicture[]): readonly Picture[] {
  return [{ name: 'popup', query: `name=${POPUP}&zoom=1.5` }, ...options].flatMap(({ name, query }) =>
    ['light', 'dark'].map((theme) => ({
      file: `dist/screenshots/store/${name}-${theme}.png`,
      query: `${query}&theme=${theme}`,
      width: 1_280,
      height: 800,
    })),
  );
}

/** Pictures of the popup and of the first view of the options page. */
function readmePictures([first]: readonly StorePicture[]): readonly Picture[] {
  const both = 'theme=light&theme=dark';
  return [
    { file: 'docs/images/popup.png', query: `name=${POPUP}&${both}`, width: 800, height: 520 },
    {
      file: 'docs/images/options.png',
      query: `${first?.query}&zoom=0.625&${both}`,
      width: 1_600,
      height: 500,
    },
  ];
}

// npm run screenshots [-- --browser chromium|firefox] [--readme]: pictures of every state and those for the stores, in
// dist/screenshots; with --readme also those of the README, in docs/images.
const { values } = parseArgs({
  options: {
    browser: { type: 'string', default: 'chromium' },
    readme: { type: 'boolean', default: false },
  },
});

await runCommand(async () => {
  const browser = parseBrowser(values.browser);
  const folder = await buildGallery(browser);
  const gallery = await launchExtension(browser, folder);
  try {
    const options = await findStorePictures(gallery);
    const readme = values.readme ? readmePictures(options) : [];
    for (const picture of [...states, ...storePictures(options), ...readme]) {
      await takePicture(gallery, picture);
    }
  } finally {
    await gallery.close();
    await rm(folder, { recursive: true, force: true });
  }
});

/** The states with a picture for the stores, in the order of the gallery. */
async function findStorePictures(gallery: RunningExtension): Promise<readonly StorePicture[]> {
  const page = await openGallery(gallery, '');
  const found = await page.evaluate(() =>
    [...document.querySelectorAll<HTMLIFrameElement>('iframe[data-picture]')].map(({ title, dataset }) => ({
      name: dataset['picture'] ?? '',
      query: `name=${title}`,
    })),
  );
  await page.close();
  return found;
}

async function takePicture(gallery: RunningExtension, { file, query, ...viewport }: Picture): Promise<void> {
  const path = join(projectFolder, file);
  await mkdir(dirname(path), { recursive: true });
  const page = await openGallery(gallery, query, viewport);
  await page.screenshot(path);
  await page.close();
  console.log(`Picture: ${path}`);
}

/** Opens the gallery, and waits until every state on it is reached. */
async function openGallery(
  gallery: RunningExtension,
  query: string,
  viewport?: NonNullable<Emulation['viewport']>,
): Promise<View> {
  const page = await gallery.open(`${galleryPage}?${query}`);
  if (viewport) await page.emulate({ viewport });
  await pollUntil(
    async () => (await page.evaluate(missingStates)).length === 0,
    async () => `these states: ${(await page.evaluate(missingStates)).join(', ')}`,
  );
  return page;
}
