import { join } from 'node:path';

import manifest from '../../manifest.json' with { type: 'json' };
import type { BrowserName } from '../browsers/browser-name.ts';
import { projectFolder } from '../project-folder.ts';

/** Where `npm run package` writes. */
export const packagesFolder = join(projectFolder, 'dist/packages');

/** Name of the package of this version. */
export function packageFile(kind: BrowserName | 'source'): string {
  return `nine-points-${manifest.version}-${kind}.zip`;
}
