import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Absolute path of the repository, wherever the process was started. */
export const projectFolder = fileURLToPath(new URL('..', import.meta.url));

/** The folder for extensions that tests build for themselves. */
export const testBuilds = join(projectFolder, 'dist/test-builds');
