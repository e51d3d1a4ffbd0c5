import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { buildGallery } from '../tests/gallery/build-gallery.ts';
import { ensureBrowser } from './browsers/ensure-browser.ts';
import { launchExtension } from './browsers/launch-extension.ts';
import { parseBrowser } from './parse-browser.ts';
import { projectFolder } from './project-folder.ts';
import { runCommand } from './run-command.ts';
import { readmePictures, statePictures, storePictures } from './screenshots/pictures.ts';
import { takePictures } from './screenshots/take-pictures.ts';
import { withProfile } from './start/with-profile.ts';

// npm run screenshots [-- --browser chromium|firefox] [--readme]: pictures of every state and those for the stores, in
// dist/screenshots; with --readme also those of the README anew, in docs/images.
const { values } = parseArgs({
  options: {
    browser: { type: 'string', default: 'chromium' },
    readme: { type: 'boolean', default: false },
  },
});

await runCommand(async () => {
  const browser = parseBrowser(values.browser);
  const executable = await ensureBrowser(browser);
  const extension = await buildGallery(browser);
  try {
    await withProfile(async (profile) => {
      const options = { executable, extension, profile, headless: true, exitOnSignal: true };
      const gallery = await launchExtension(browser, options);
      try {
        const folder = join(projectFolder, 'dist/screenshots');
        await takePictures(gallery, [...statePictures, ...storePictures], folder);
        if (values.readme) await takePictures(gallery, readmePictures, join(projectFolder, 'docs/images'));
      } finally {
        await gallery.close();
      }
    });
  } finally {
    await rm(extension, { recursive: true, force: true });
  }
});
