import type { BrowserName } from '../browsers/browser-name.ts';
import { BuildRefused } from './build-refused.ts';
import { readBuiltExtension } from './built-extension.ts';
import type { BuiltExtension } from './built-extension.ts';
import { gates } from './gates.ts';

/** Reads a build. Rejects with `BuildRefused` for one that must not be shipped. */
export async function checkBuild(folder: string, browser: BrowserName): Promise<BuiltExtension> {
  const extension = await readBuiltExtension(folder);
  const problems = gates.flatMap((gate) => gate(extension, browser));
  if (problems.length > 0) throw new BuildRefused(browser, problems);
  return extension;
}
