import { mkdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';

import { buildGallery, galleryPages, missingStates } from '../tests/gallery/build-gallery.ts';
import { parseBrowser } from './browsers/find-browser.ts';
import { launchExtension } from './browsers/launch-extension.ts';
import { pollUntil } from './browsers/running-extension.ts';
import type { RunningExtension } from './browsers/running-extension.ts';
import { runCommand } from './command.ts';
import { projectFolder } from './project-folder.ts';

/** A picture to be taken of the gallery. */
interface Picture {
  /** Path below the folder for pictures. */
  readonly file: string;
  /** Address within the gallery's extension. */
  readonly address: string;
  /** Size of the window in CSS px; what has to be scrolled to belongs to the picture too. */
  readonly viewport: { readonly width: number; readonly height: number };
}

const THEMES = ['light', 'dark'] as const;

/** Wide enough for two options pages beside each other. */
const WIDE = { width: 2_112, height: 1_200 };

/** The size that the stores ask for. */
const STORE = { width: 1_280, height: 800 };

/** All states: light, dark, as narrow as pages get, and from right to left. */
const statePictures: readonly Picture[] = [
  { file: 'states/light.png', address: `${galleryPages.sheet}?theme=light`, viewport: WIDE },
  { file: 'states/dark.png', address: `${galleryPages.sheet}?theme=dark`, viewport: WIDE },
  { file: 'states/narrow.png', address: `${galleryPages.sheet}?theme=light&width=320`, viewport: WIDE },
  { file: 'states/rtl.png', address: `${galleryPages.sheet}?theme=light&dir=rtl`, viewport: WIDE },
];

/** What the stores show. */
const storePictures: readonly Picture[] = THEMES.flatMap((theme) => [
  {
    file: `store/popup-${theme}.png`,
    address: stageOf('popup: background awake', [theme], 1.5),
    viewport: STORE,
  },
  ...['specification', 'point', 'preferences', 'messages', 'about'].map((view) => ({
    file: `store/${view}-${theme}.png`,
    address: stageOf(`options: ${view}`, [theme], 1),
    viewport: STORE,
  })),
]);

/** What the README shows, light beside dark. */
const readmePictures: readonly Picture[] = [
  {
    file: 'popup.png',
    address: stageOf('popup: background awake', THEMES, 1),
    viewport: { width: 800, height: 520 },
  },
  {
    file: 'options.png',
    address: stageOf('options: specification', THEMES, 0.625),
    viewport: { width: 1_600, height: 500 },
  },
];

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
  const extension = await buildGallery(browser);
  const gallery = await launchExtension(browser, extension);
  try {
    const folder = join(projectFolder, 'dist/screenshots');
    await takePictures(gallery, [...statePictures, ...storePictures], folder);
    if (values.readme) await takePictures(gallery, readmePictures, join(projectFolder, 'docs/images'));
  } finally {
    await gallery.close();
    await rm(extension, { recursive: true, force: true });
  }
});

/** Takes the pictures, one after the other, and says where each of them is. */
async function takePictures(
  gallery: RunningExtension,
  pictures: readonly Picture[],
  folder: string,
): Promise<void> {
  for (const { file, address, viewport } of pictures) {
    const path = join(folder, file);
    await mkdir(dirname(path), { recursive: true });
    const page = await gallery.open(address);
    await page.emulate({ viewport });
    await pollUntil(
      async () => (await page.evaluate(missingStates)).length === 0,
      async () => `these states: ${(await page.evaluate(missingStates)).join(', ')}`,
    );
    await page.screenshot(path);
    await page.close();
    console.log(`Picture: ${path}`);
  }
}

function stageOf(name: string, themes: readonly string[], zoom: number): string {
  const query = new URLSearchParams([
    ['name', name],
    ['zoom', String(zoom)],
    ...themes.map((theme) => ['theme', theme]),
  ]);
  return `${galleryPages.stage}?${query}`;
}
