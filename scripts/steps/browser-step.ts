import type { BrowserName } from '../browsers/browser-name.ts';
import { BrowserUnavailable } from '../browsers/browser-unavailable.ts';
import { ensureBrowser } from '../browsers/ensure-browser.ts';
import type { Step } from './step.ts';

/** A step that succeeds when the browser is there, or could be installed. */
export function browserStep(browser: BrowserName): Step {
  return {
    name: `browser: ${browser}`,
    async run() {
      try {
        return { passed: 0, failed: 0, output: await ensureBrowser(browser) };
      } catch (error) {
        if (error instanceof BrowserUnavailable) return { passed: 0, failed: 1, output: error.message };
        throw error;
      }
    },
  };
}
