import type { Plugin } from 'vite';

import { parseSpecGaps } from './parse-spec-gaps.ts';
import { SpecGapsError } from './spec-gaps-error.ts';
import { specGapsParts } from './spec-gaps-parts.ts';

/**
 * Makes `SPEC_GAPS.md` importable: `import { points } from '../../SPEC_GAPS.md'`. A file that cannot be read as
 * `parseSpecGaps` wants it fails the build, or the page under development, with its line.
 *
 * A bundler shares modules between entries, not exports: from one module the worker would get the long texts of the
 * pages with it. So the file becomes a module that only passes on, and each export a module of its own (`?export=points`).
 */
export function specGapsPlugin(): Plugin {
  return {
    name: 'spec-gaps',
    transform: {
      filter: { id: /\/SPEC_GAPS\.md(\?export=\w+)?$/u },
      handler(markdown, id) {
        const [file = id, part] = id.split('?export=');
        try {
          return { code: renderModule(markdown, part), map: null, moduleType: 'js' };
        } catch (error) {
          if (!(error instanceof SpecGapsError)) throw error;
          const { message, line, column } = error;
          return this.error({ message, loc: { file, line, column: column - 1 } });
        }
      },
    },
  };
}

function renderModule(markdown: string, wanted: string | undefined): string {
  const parts = Object.entries(specGapsParts(parseSpecGaps(markdown)));
  if (wanted === undefined) {
    return parts.map(([name]) => `export { ${name} } from './SPEC_GAPS.md?export=${name}';`).join('\n');
  }
  return parts
    .filter(([name]) => name === wanted)
    .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};`)
    .join('\n');
}
