import { BrowserUnavailable } from './browsers/browser-unavailable.ts';
import { BuildRefused } from './gates/build-refused.ts';
import { PackageRefused } from './package/package-refused.ts';
import { WrongBrowser } from './parse-browser.ts';

const REFUSALS = [BrowserUnavailable, BuildRefused, PackageRefused, WrongBrowser];

/** Runs what a command does. A refusal says what to do, and its stack would only hide that. */
export async function runCommand(run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    const isRefusal = REFUSALS.some((refusal) => error instanceof refusal);
    console.error(isRefusal && error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
