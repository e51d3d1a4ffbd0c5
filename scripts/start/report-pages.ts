import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

import type { BrowserName } from '../browsers/browser-name.ts';
import { launchExtension } from '../browsers/launch-extension.ts';
import { pollUntil } from '../browsers/poll-until.ts';
import type { RunningExtension } from '../browsers/running-extension.ts';
import type { View } from '../browsers/view.ts';
import { buildExtension } from '../build-extension.ts';
import { projectFolder } from '../project-folder.ts';
import { isPageReady } from './is-page-ready.ts';
import { withProfile } from './with-profile.ts';

/**
 * Runs the production build without a display: prints what the popup and the options page say, and saves pictures of
 * both, light and dark, in `dist/screenshots`. Returns what went wrong, in sentences; nothing when all is well.
 */
export async function reportPages(browser: BrowserName, executable: string): Promise<readonly string[]> {
  const problems: string[] = [];
  const folder = await buildExtension(browser);
  await withProfile(async (profile) => {
    const options = { executable, extension: folder, profile, headless: true, exitOnSignal: true };
    const extension = await launchExtension(browser, options);
    try {
      console.log(`${extension.version}, no display: production build of ${folder}`);
      problems.push(...(await visitPages(extension)));
    } finally {
      await extension.close();
    }
  });
  return problems;
}

async function visitPages(extension: RunningExtension): Promise<readonly string[]> {
  const options = await extension.open('src/options/index.html');
  await options.emulate({ viewport: { width: 1280, height: 800 } });
  const problems = await visitPage(extension, 'options', options);
  problems.push(...(await visitPage(extension, 'popup', await extension.openPopup())));

  // Both pages have asked the worker for something by now.
  const wait = { timeout: 10_000, waitingFor: 'the background worker to run' };
  await pollUntil(() => extension.isWorkerRunning(), wait).catch((error: unknown) => {
    problems.push(String(error));
  });
  for (const { level, text, source } of await extension.readConsole()) {
    problems.push(`Console ${level} from ${source}: ${text}`);
  }
  return problems;
}

/** Prints and photographs a page. What goes wrong is returned, so that the other page is still visited. */
async function visitPage({ browser }: RunningExtension, name: string, view: View): Promise<string[]> {
  const problems: string[] = [];
  await view.waitFor(isPageReady).catch((error: unknown) => {
    problems.push(`The ${name} page did not get ready: ${String(error)}`);
  });
  console.log(`\nThe ${name} page (${await view.url()}) says:\n\n${indent(await view.text())}\n`);

  const pictures = join(projectFolder, 'dist', 'screenshots');
  await mkdir(pictures, { recursive: true });
  for (const colorScheme of ['light', 'dark'] as const) {
    const picture = join(pictures, `${browser}-${name}-${colorScheme}.png`);
    await view.emulate({ colorScheme });
    await view.screenshot(picture);
    console.log(`Picture: ${picture}`);
  }
  return problems;
}

function indent(text: string): string {
  return text.trim().replaceAll(/^/gm, '  ');
}
