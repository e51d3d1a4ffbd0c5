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
  /** Path from the top of the project. */
  readonly file: string;
  /** Query of the gallery's address. See tests/gallery/main.tsx. */
  readonly query: string;
  /** Width and height of the window in CSS px. The picture also has the parts that need scrolling. */
  readonly width: number;
  readonly height: number;
}

/** A state that is shown in the stores. */
interface StorePicture {
  readonly name: string;
  readonly query: string;
}

const POPUP = 'popup: background awake';

/** Pictures of all states: light, dark, narrow, and from right to left. Two options pages fit into the width. */
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

/** Pictures in the size that the stores require. */
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

function readmePictures([first]: readonly StorePicture[]): readonly Picture[] {
  const both = 'theme=light&theme=dark';
  return [
    { file: 'docs/images/popup.png', query: `name=${POPUP}&${both}`, width: 800, height: 540 },
    {
      file: 'docs/images/options.png',
      query: `${first?.query}&zoom=0.625&${both}`,
      width: 1_600,
      height: 500,
    },
  ];
}

// npm run screenshots [-- --browser chromium|firefox] [--readme]: saves pictures of every state and for the stores in
// dist/screenshots. With --readme, it also saves the README's pictures of the pages in docs/images.
await runCommand(async () => {
  const { values } = parseArgs({
    options: {
      browser: { type: 'string', default: 'chromium' },
      readme: { type: 'boolean', default: false },
    },
  });
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

/** Returns the states that are shown in the stores, in the order of the gallery. */
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
