import { join } from 'node:path';

import { projectFolder } from './project-folder.ts';

/** Where tests put the extensions that they build for themselves. Emptied before a run of all suites. */
export const testBuilds = join(projectFolder, 'dist/test-builds');
