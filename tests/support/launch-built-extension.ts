import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject, onTestFinished } from 'vitest';

import { launchExtension } from '../../scripts/browsers/launch-extension.ts';
import type { RunningExtension } from '../../scripts/browsers/running-extension.ts';
import { projectFolder } from '../../scripts/project-folder.ts';

export interface LaunchedExtension extends RunningExtension {
  /** Folder of the profile. */
  readonly profile: string;
  /**
   * Ends the browser and starts it again with the same profile. The object that was called is of no use afterwards.
   *
   * @param between is called when the browser is gone and not yet there again
   */
  restart(between?: (profile: string) => Promise<void>): Promise<LaunchedExtension>;
}

/**
 * Starts the production build, or the extension in another folder, in the browser of this suite, with a profile of
 * its own. To be called in a test; when that is over, the browser is ended and the profile removed.
 *
 * @param profiles folder for the profile
 */
export async function launchBuiltExtension(
  folder: string = join(projectFolder, 'dist', inject('browserName')),
  profiles: string = tmpdir(),
): Promise<LaunchedExtension> {
  const browser = inject('browserName');
  const profile = await mkdtemp(join(profiles, 'extension-profile-'));
  let running: RunningExtension | undefined;
  onTestFinished(async () => {
    await running?.close();
    await rm(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  });

  const launch = async (): Promise<LaunchedExtension> => {
    running = await launchExtension(browser, folder, { profile });
    const { close } = running;
    return {
      ...running,
      profile,
      async restart(between = async () => {}) {
        await close();
        await between(profile);
        return launch();
      },
    };
  };
  return launch();
}
