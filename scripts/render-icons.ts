import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import puppeteer from 'puppeteer-core';

import { findBrowser } from './browsers/find-browser.ts';
import { drawIcon, iconSizes } from './icons/draw-icon.ts';
import type { IconSize } from './icons/draw-icon.ts';
import { projectFolder } from './project-folder.ts';

// Draws the icons anew: `npm run icons`. To be run when `draw-icon.ts` has changed; the pictures are kept.
const executablePath = await findBrowser('chromium');
if (executablePath === undefined) throw new Error('Chromium is needed to draw the icons.');

const browser = await puppeteer.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
try {
  const page = await browser.newPage();
  for (const size of iconSizes) await writeFile(fileOf(size), await render(size));

  async function render(size: IconSize): Promise<Uint8Array> {
    await page.setViewport({ width: size, height: size });
    await page.setContent(`<body style="display: grid; margin: 0">${drawIcon(size)}`);
    return page.screenshot({ omitBackground: true });
  }
} finally {
  await browser.close();
}

function fileOf(size: IconSize): string {
  return join(projectFolder, 'src/static/icons', `${size}.png`);
}
