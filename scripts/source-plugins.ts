import react from '@vitejs/plugin-react';
import type { PluginOption } from 'vite';

import { specGapsPlugin } from '../src/features/specification/build/spec-gaps-plugin.ts';

/** Returns the plugins that every build of source files needs: of the extension, of its parts and of tests. */
export function sourcePlugins(): PluginOption[] {
  return [
    // One line for each.
    react(),
    specGapsPlugin(),
  ];
}
