import { join } from 'node:path';

import { projectFolder } from '../project-folder.ts';

/** Where downloaded browsers are kept. */
export const browserCache = join(projectFolder, '.cache', 'browsers');
