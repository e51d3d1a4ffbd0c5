import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

import type { BrowserName } from './browsers/find-browser.ts';
import { launchExtension } from './browsers/launch-extension.ts';
import { pollUntil, startLimit, type View } from './browsers/running-extension.ts';
import { buildExtension } from './build-extension.ts';
import { projectFolder } from './project-folder.ts';

/**
 * Runs the production build without a display. Prints the text of the popup and the options page, and saves light and
 * dark pictures of both in `dist/screenshots`. Returns a sentence for each problem.
 */
export async function reportPages(browser: BrowserName): Promise<readonly string[]> {
  const folder = await buildExtension(browser);
  const extension = await launchExtension(browser, folder, { limit: startLimit });
  try {
    console.log(`${extension.version}, no display: production build of ${folder}`);
    const options = await extension.open('src/options/index.html');
    await options.emulate({ viewport: { width: 1280, height: 800 } });
    const problems = await visitPage(`${browser}-options`, options);
    problems.push(...(await visitPage(`${browser}-popup`, await extension.openPopup())));

    // Both pages have called the worker, so it must be running.
    await pollUntil(() => extension.isWorkerRunning(), 'the background worker to run').catch(
      (error: unknown) => problems.push(String(error)),
    );
    const written = await extension.readConsole();
    return [
      ...problems,
      ...written.map(({ level, text, source }) => `Console ${level} from ${source}: ${text}`),
    ];
  } finally {
    await extension.close();
  }
}

/** Prints a page's text and saves its pictures. Returns problems, so that the other page is still visited. */
async function visitPage(name: string, view: View): Promise<string[]> {
  const problems: string[] = [];
  const url = await view.url();
  await view.waitFor(isPageReady).catch((error: unknown) => {
    problems.push(`${url} was not ready in time: ${String(error)}`);
  });
  const alert = await view.evaluate(findAlert);
  if (alert) problems.push(`${url} reports: ${alert}`);
  const text = (await view.text()).trim().replaceAll(/^/gm, '  ');
  console.log(`\n${url} says:\n\n${text}\n`);

  const pictures = join(projectFolder, 'dist', 'screenshots');
  await mkdir(pictures, { recursive: true });
  for (const colorScheme of ['light', 'dark'] as const) {
    const picture = join(pictures, `${name}-${colorScheme}.png`);
    await view.emulate({ colorScheme });
    await view.screenshot(picture);
    console.log(`Picture: ${picture}`);
  }
  return problems;
}

/** Returns the text of the failures that the page reports. Runs inside the page. */
function findAlert(): string {
  return [...document.querySelectorAll<HTMLElement>('[role=alert]')]
    .map((alert) => alert.innerText)
    .join(' ')
    .trim();
}

/** Returns `true` if the page has text and shows the state of the worker, so that React runs. Runs inside the page. */
function isPageReady(): boolean {
  const text = document.querySelector<HTMLElement>('main')?.innerText.trim();
  return Boolean(text) && document.querySelector('[data-mark=waiting]') === null;
}
