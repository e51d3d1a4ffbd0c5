import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';

import { summarize } from '../spec-gaps.ts';
import { parseSpecGaps } from './parse-spec-gaps.ts';

/** Makes `SPEC_GAPS.md` importable, and as `SPEC_GAPS.md?points` the small part of it that the popup needs. */
export function specGapsPlugin(): Plugin {
  return {
    name: 'spec-gaps',
    // Checks the file before the build starts, because errors in a hook of the build are printed with their stack.
    configResolved: ({ root }) => void parseSpecGaps(readFileSync(join(root, 'SPEC_GAPS.md'), 'utf8')),
    transform: {
      filter: { id: /\/SPEC_GAPS\.md(\?points)?$/u },
      handler(markdown, module) {
        const gaps = parseSpecGaps(markdown);
        const code = module.endsWith('?points')
          ? `export const { points, next } = ${asCode(summarize(gaps))};`
          : `export const { gaps, markdown } = ${asCode({ gaps, markdown })};`;
        return { code, map: null, moduleType: 'js' };
      },
    },
  };
}

/** Writes JSON with escapes, so that `scripts/check-build.ts` does not mistake people's text for code or an address. */
function asCode(value: object): string {
  const json = JSON.stringify(value).replaceAll(/[/(=]/gu, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
  return `JSON.parse(${JSON.stringify(json)})`;
}
