import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Plugin } from 'vite';

import { parseSpecGaps } from './parse-spec-gaps.ts';

/** Makes `SPEC_GAPS.md` importable: the whole, or as `?points` what the background and the popup need. */
export function specGapsPlugin(): Plugin {
  return {
    name: 'spec-gaps',
    transform: {
      filter: { id: /\/SPEC_GAPS\.md(\?points)?$/u },
      handler(markdown, module) {
        const all = parseSpecGaps(markdown, (path) => existsSync(join(dirname(module), path)));
        const points = all.gaps.map((gap) => {
          const { id, number, title, answered, total } = gap;
          return { id, number, title, answered, total };
        });
        const { answered, total, minutes } = all.start;
        const little = { points, start: { answered, total, minutes } };
        const exported = Object.entries(module.endsWith('?points') ? little : { ...all, markdown });
        const lines = exported.map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};`);
        return { code: lines.join('\n'), map: null, moduleType: 'js' };
      },
    },
  };
}
