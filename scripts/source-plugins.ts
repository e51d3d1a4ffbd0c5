import react from '@vitejs/plugin-react';
import type { Plugin, PluginOption } from 'vite';

import { specGapsPlugin } from '../src/features/specification/build/spec-gaps-plugin.ts';

/** Returns the plugins that every build of source files needs: of the extension, of its parts and of tests. */
export function sourcePlugins(): PluginOption[] {
  return [
    // One line for each.
    react(),
    specGapsPlugin(),
    ownSettings,
  ];
}

/** Keeps variables of the environment, `.env` files and settings in parent folders out of a build. */
const ownSettings: Plugin = {
  name: 'own-settings',
  config: () => ({
    envDir: false,
    // Vite gives the code each variable whose name begins with this. No name contains "=".
    envPrefix: 'none=',
    css: { postcss: {} },
  }),
};
