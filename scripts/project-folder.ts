import { fileURLToPath } from 'node:url';

/** Absolute path of the repository, wherever the process was started. */
export const projectFolder = fileURLToPath(new URL('..', import.meta.url));
