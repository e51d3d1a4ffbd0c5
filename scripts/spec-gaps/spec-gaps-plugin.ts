import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Plugin } from 'vite';

import { parseSpecGaps, SpecGapsError } from './parse-spec-gaps.ts';

/** Makes `SPEC_GAPS.md` importable: the whole, or as `?points` what an edit of a text does not change. */
export function specGapsPlugin(): Plugin {
  const lastCode = new Map<string, string>();
  return {
    name: 'spec-gaps',
    transform: {
      filter: { id: /\/SPEC_GAPS\.md(\?points)?$/u },
      handler(markdown, module) {
        try {
          const code = renderModule(markdown, module);
          lastCode.set(`${this.environment.name} ${module}`, code);
          return { code, map: null, moduleType: 'js' };
        } catch (error) {
          if (!(error instanceof SpecGapsError)) throw error;
          lastCode.delete(`${this.environment.name} ${module}`);
          const { message, line, column } = error;
          const loc = { file: module.replace('?points', ''), line, column: column - 1 };
          return this.error({ message, loc });
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
  const values = module.endsWith('?points') ? { points } : { gaps, ...rest, markdown };
  const exports = Object.entries(values);
  return exports.map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};`).join('\n');
}
