import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Plugin } from 'vite';

import { parseSpecGaps, SpecGapsError } from './parse-spec-gaps.ts';

/**
 * Makes `SPEC_GAPS.md` importable: the whole, `?points` for the popup, `?progress` for the background. A malformed file
 * stops the build with its line. One module would bring all texts into each, and each edit would reload the extension.
 */
export function specGapsPlugin(): Plugin {
  const lastCode = new Map<string, string>();
  return {
    name: 'spec-gaps',
    transform: {
      filter: { id: /\/SPEC_GAPS\.md(\?\w+)?$/u },
      handler(markdown, module) {
        const file = module.replace(/\?.*/u, '');
        try {
          const code = renderModule(markdown, module);
          lastCode.set(`${this.environment.name} ${module}`, code);
          return { code, map: null, moduleType: 'js' };
        } catch (error) {
          if (!(error instanceof SpecGapsError)) throw error;
          lastCode.delete(`${this.environment.name} ${module}`);
          const { message, line, column } = error;
          return this.error({ message, loc: { file, line, column: column - 1 } });
        }
      },
    },
    hotUpdate: {
      // Before the extension's plugin looks whether the worker is concerned.
      order: 'pre',
      async handler({ file, modules, read }) {
        if (!file.endsWith('/SPEC_GAPS.md')) return undefined;
        const markdown = await read();
        return modules.filter(({ environment, id }) => {
          try {
            return lastCode.get(`${environment} ${id}`) !== renderModule(markdown, id ?? '');
          } catch {
            // The transformation reports what is malformed.
            return true;
          }
        });
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
  const sum = (key: 'answered' | 'total'): number => gaps.reduce((count, gap) => count + gap[key], 0);
  const progress = { answered: sum('answered'), total: sum('total') };
  const parts = { points: { points }, progress: { progress }, whole: { gaps, ...rest, markdown } };
  const part = (module.split('?')[1] ?? 'whole') as keyof typeof parts;
  const exports = Object.entries(parts[part]);
  return exports.map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};`).join('\n');
}
