import { join } from 'node:path';
import { runnerImport } from 'vite';
import type { Plugin } from 'vite';

import type { Contract } from '../src/messaging/procedure.ts';

const FILE = 'src/contract/contract.ts';

/**
 * Leaves the schemas out of the contract that pages are built with. A page's client asks it for sizes and effects alone;
 * the worker, which is built by itself, is the one who checks, and nothing of what checks gets near the popup.
 */
export function contractDigest(): Plugin {
  let folder = '';

  return {
    name: 'contract-digest',
    apply: 'build',
    configResolved({ root }) {
      folder = root;
    },
    load: {
      filter: { id: /\/src\/contract\/contract\.ts$/u },
      async handler() {
        const { module, dependencies } = await runnerImport<{ readonly contract: Contract }>(
          join(folder, FILE),
        );
        for (const path of dependencies) this.addWatchFile(path);
        const digest = Object.entries(module.contract).map(([name, { kind, effect, maxBytes }]) => [
          name,
          { kind, effect, maxBytes },
        ]);
        return `export const contract = ${JSON.stringify(Object.fromEntries(digest))};`;
      },
    },
  };
}
