import { fileURLToPath } from 'node:url';

/** Absolute path of the repository. It does not depend on the current directory. */
export const projectFolder = fileURLToPath(new URL('..', import.meta.url));
