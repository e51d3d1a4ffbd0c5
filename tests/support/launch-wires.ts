import { join } from 'node:path';

import { inject } from 'vitest';

import type { RunningExtension, View } from '../../scripts/browsers/running-extension.ts';
import { projectFolder } from '../../scripts/project-folder.ts';
import { buildCoreExtension } from './build-core-extension.ts';
import { launchBuiltExtension } from './launch-built-extension.ts';

/** Starts the browser of this suite with the extension that has the core's adapters and no core, and opens its options page. */
export async function launchWires(): Promise<{ readonly extension: RunningExtension; readonly page: View }> {
  const source = join(projectFolder, 'tests/support/wire-extension');
  const extension = await launchBuiltExtension(await buildCoreExtension(inject('browserName'), source));
  return { extension, page: await extension.open('options.html') };
}
