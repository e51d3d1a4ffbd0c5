import type { BrowserName } from '../browsers/browser-name.ts';

/** A build that must not be shipped, with all that is wrong with it. */
export class BuildRefused extends Error {
  override readonly name = 'BuildRefused';
  readonly problems: readonly string[];

  constructor(browser: BrowserName, problems: readonly string[]) {
    super(`The build for ${browser} must not be shipped:\n${problems.join('\n')}`);
    this.problems = problems;
  }
}
