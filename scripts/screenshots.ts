import { mkdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';

import { buildGallery, galleryPage, missingStates } from '../tests/gallery/build-gallery.ts';
import { parseBrowser } from './browsers/find-browser.ts';
import { launchExtension } from './browsers/launch-extension.ts';
import { pollUntil } from './browsers/running-extension.ts';
import type { RunningExtension, View } from './browsers/running-extension.ts';
import { runCommand } from './command.ts';
import { projectFolder } from './project-folder.ts';

/** The size that the stores ask for. */
const STORE = { width: 1_280, height: 800 };

/** Wide enough for two options pages side by side. */
const WIDE = { width: 2_112, height: 1_200 };

/** All states, by file: light, dark, as narrow as pages get, and from right to left. */
const sheets = {
  light: 'theme=light',
  dark: 'theme=dark',
  narrow: 'theme=light&width=320',
  rtl: 'theme=light&dir=rtl',
};

const POPUP = 'popup: background awake';
const SPECIFICATION = 'options: specification';

// npm run screenshots [-- --browser chromium|firefox] [--readme]: pictures of every state and those for the stores, in
// dist/screenshots; with --readme also those of the README, in docs/images.
const { values } = parseArgs({
  options: {
    browser: { type: 'string', default: 'chromium' },
    readme: { type: 'boolean', default: false },
  },
});

await runCommand(async () => {
  const folder = await buildGallery(parseBrowser(values.browser));
  const gallery = await launchExtension(parseBrowser(values.browser), folder);
  try {
    await takePictures(gallery, join(projectFolder, 'dist/screenshots'));
    if (values.readme) await takeReadmePictures(gallery, join(projectFolder, 'docs/images'));
  } finally {
    await gallery.close();
    await rm(folder, { recursive: true, force: true });
  }
});

/** All states, and what the stores show: the popup, each view of the options page and a point, light and dark. */
async function takePictures(gallery: RunningExtension, folder: string): Promise<void> {
  for (const [name, query] of Object.entries(sheets)) {
    await takePicture(gallery, `${galleryPage}?${query}`, WIDE, join(folder, `states/${name}.png`));
  }
  const views = await listViews(gallery);
  for (const theme of ['light', 'dark']) {
    const popup = join(folder, `store/popup-${theme}.png`);
    await takePicture(gallery, stageOf(POPUP, 1.5, theme), STORE, popup);
    for (const view of [...views, 'point']) {
      const picture = join(folder, `store/${view}-${theme}.png`);
      await takePicture(gallery, stageOf(`options: ${view}`, 1, theme), STORE, picture);
    }
  }
}

/** What the README shows: light and dark, side by side. */
async function takeReadmePictures(gallery: RunningExtension, folder: string): Promise<void> {
  const [popup, options] = [
    stageOf(POPUP, 1, 'light', 'dark'),
    stageOf(SPECIFICATION, 0.625, 'light', 'dark'),
  ];
  await takePicture(gallery, popup, { width: 800, height: 520 }, join(folder, 'popup.png'));
  await takePicture(gallery, options, { width: 1_600, height: 500 }, join(folder, 'options.png'));
}

/** The views of the options page, as its navigation names them in addresses. */
async function listViews(gallery: RunningExtension): Promise<readonly string[]> {
  const page = await gallery.open(stageOf(SPECIFICATION, 1, 'light'));
  await waitForStates(page);
  const views = await page.evaluate(() => {
    const links =
      document.querySelector('iframe')?.contentDocument?.querySelectorAll('nav a[href^="#/"]') ?? [];
    return Array.from(links, (link) => /^#\/(\w+)$/u.exec(link.getAttribute('href') ?? '')?.[1] ?? []).flat();
  });
  await page.close();
  return [...new Set(views)];
}

/** Saves a picture of an address within the gallery, including parts that need scrolling, and prints its path. */
async function takePicture(
  gallery: RunningExtension,
  address: string,
  viewport: { readonly width: number; readonly height: number },
  file: string,
): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  const page = await gallery.open(address);
  await page.emulate({ viewport });
  await waitForStates(page);
  await page.screenshot(file);
  await page.close();
  console.log(`Picture: ${file}`);
}

async function waitForStates(page: View): Promise<void> {
  await pollUntil(
    async () => (await page.evaluate(missingStates)).length === 0,
    async () => `these states: ${(await page.evaluate(missingStates)).join(', ')}`,
  );
}

/** The address of one state that fills the window, once in each theme, side by side. */
function stageOf(name: string, zoom: number, ...themes: readonly string[]): string {
  const query = new URLSearchParams({ name, zoom: String(zoom) });
  for (const theme of themes) query.append('theme', theme);
  return `${galleryPage}?${query}`;
}
