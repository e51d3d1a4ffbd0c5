import type { BrowserName } from '../browsers/browser-name.ts';
import { readBuiltExtension } from './built-extension.ts';
import { gates } from './gates.ts';

/** Rejects, with all that is wrong with it, for a build that must not be shipped. */
export async function checkBuild(folder: string, browser: BrowserName): Promise<void> {
  const extension = await readBuiltExtension(folder);
  const problems = gates.flatMap((gate) => gate(extension, browser));
  if (problems.length > 0) {
    throw new Error(`The build for ${browser} must not be shipped:\n${problems.join('\n')}`);
  }
}
