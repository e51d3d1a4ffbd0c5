import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Plugin } from 'vite';

import type { SpecGaps } from '../spec-gaps.ts';
import { parseSpecGaps } from './parse-spec-gaps.ts';

const FILE = 'SPEC_GAPS.md';

/** Makes `SPEC_GAPS.md` importable, and as `SPEC_GAPS.md?points` the small part of it that the popup needs. */
export function specGapsPlugin(): Plugin {
  return {
    name: 'spec-gaps',
    // Checks the file before the build starts, because errors in a build hook are printed with their stack.
    configResolved: ({ root }) => void parse(readFileSync(join(root, FILE), 'utf8'), root),
    transform: {
      filter: { id: /\/SPEC_GAPS\.md(\?points)?$/u },
      handler(markdown, module) {
        const folder = dirname(module);
        const code = module.endsWith('?points')
          ? exportsOf(pointsOf(markdown, folder))
          : `const all = JSON.parse(${JSON.stringify(asText({ ...parse(markdown, folder), markdown }))});
            export const { start, progressByRole, gaps, choices, leftOut, markdown } = all;`;
        return { code, map: null, moduleType: 'js' };
      },
    },
  };
}

/** Writes JSON with escapes, so that `scripts/check-build.ts` does not mistake people's text for code or an address. */
function asText(value: object): string {
  return JSON.stringify(value).replaceAll(/[/(=]/gu, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
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
