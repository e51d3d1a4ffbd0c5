import react from '@vitejs/plugin-react';
import type { PluginOption } from 'vite';

import { specGapsPlugin } from '../src/features/specification/build/spec-gaps-plugin.ts';

/** The plugins that read the source. Every build has them: of the extension, of its parts and for tests. */
export function sourcePlugins(): PluginOption[] {
  return [
    // One line for each.
    react(),
    specGapsPlugin(),
  ];
}
