import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Plugin } from 'vite';

import { parseSpecGaps, SpecGapsError } from './parse-spec-gaps.ts';

/** Makes `SPEC_GAPS.md` importable: the whole, or as `?points` the little that the background and the popup need. */
export function specGapsPlugin(): Plugin {
  return {
    name: 'spec-gaps',
    transform: {
      filter: { id: /\/SPEC_GAPS\.md(\?points)?$/u },
      handler(markdown, module) {
        try {
          return { code: renderModule(markdown, module), map: null, moduleType: 'js' };
        } catch (error) {
          if (!(error instanceof SpecGapsError)) throw error;
          const { message, line, column } = error;
          const loc = { file: module.replace('?points', ''), line, column: column - 1 };
          return this.error({ message, loc });
        }
      },
    },
  };
}

function renderModule(markdown: string, module: string): string {
  const { gaps, ...rest } = parseSpecGaps(markdown, (path) => existsSync(join(dirname(module), path)));
  const points = gaps.map(({ id, number, title, answered, total }) => ({
    id,
    number,
    title,
    answered,
    total,
  }));
  const values = module.endsWith('?points') ? { points } : { gaps, ...rest, markdown };
  const exports = Object.entries(values);
  return exports.map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};`).join('\n');
}
