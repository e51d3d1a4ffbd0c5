import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Plugin } from 'vite';

import type { SpecGaps } from '../../src/contract/spec-gaps.ts';
import { parseSpecGaps } from './parse-spec-gaps.ts';

/**
 * Makes `SPEC_GAPS.md` importable: the whole, or as `?points` what the background and the popup need. The whole is one
 * JSON text, which `scripts/check-build.ts` recognises as text that people wrote, and not code.
 */
export function specGapsPlugin(): Plugin {
  return {
    name: 'spec-gaps',
    transform: {
      filter: { id: /\/SPEC_GAPS\.md(\?points)?$/u },
      handler(markdown, module) {
        const folder = dirname(module);
        const code = module.endsWith('?points')
          ? exportsOf(pointsOf(markdown, folder))
          : `const all = JSON.parse(${JSON.stringify(specGapsJson(markdown, folder))});
            export const { start, progressByRole, gaps, choices, leftOut, markdown } = all;`;
        return { code, map: null, moduleType: 'js' };
      },
    },
  };
}

/**
 * Everything that `SPEC_GAPS.md` says, as the text that the build puts into the options page.
 *
 * @param folder the repository, in which the paths exist that the file names
 */
export function specGapsJson(markdown: string, folder: string): string {
  return JSON.stringify({ ...parse(markdown, folder), markdown });
}

function pointsOf(markdown: string, folder: string) {
  const { gaps, start } = parse(markdown, folder);
  const points = gaps.map(({ id, number, title, answered, total }) => ({
    id,
    number,
    title,
    answered,
    total,
  }));
  return { points, start: { answered: start.answered, total: start.total, minutes: start.minutes } };
}

function parse(markdown: string, folder: string): SpecGaps {
  return parseSpecGaps(markdown, (path) => existsSync(join(folder, path)));
}

function exportsOf(values: Readonly<Record<string, unknown>>): string {
  return Object.entries(values)
    .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};`)
    .join('\n');
}
