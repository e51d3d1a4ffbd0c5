import { basename } from 'node:path';
import type { CSSModulesOptions } from 'vite';

/**
 * Names classes after their files, which have each their own name: `failure_what` is `what` in `failure.module.css`.
 * It reads better than a hash in a browser's inspector, and packs better, as it repeats what is said elsewhere.
 */
export const classNames: CSSModulesOptions = {
  generateScopedName: (name, file) => `${basename(file, '.module.css')}_${name}`,
};
