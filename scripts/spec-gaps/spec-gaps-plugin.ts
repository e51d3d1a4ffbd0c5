import type { Plugin } from 'vite';

import type { Choice, Gap, GapId, Paragraph, Point } from '../../src/contract/spec-gaps.ts';
import { parseSpecGaps, type SpecGaps, SpecGapsError } from './parse-spec-gaps.ts';

/** The exports of `SPEC_GAPS.md` as a module. `src/spec-gaps.d.ts` describes them to whoever imports it. */
interface SpecGapsParts {
  readonly gaps: readonly Gap[];
  readonly points: readonly Point[];
  readonly specified: readonly GapId[];
  readonly choices: readonly Choice[];
  readonly leftOut: readonly Paragraph[];
}

/** The whole of the data, cut into the parts that are wanted apart from each other. */
export function specGapsParts({ gaps, choices, leftOut }: SpecGaps): SpecGapsParts {
  return {
    gaps,
    points: gaps.map(({ id, number, title, status }) => ({ id, number, title, status })),
    specified: gaps.filter(({ status }) => status === 'specified').map(({ id }) => id),
    choices,
    leftOut,
  };
}

/**
 * Makes `SPEC_GAPS.md` importable: `import { points } from '../../SPEC_GAPS.md'`. A file that cannot be read as
 * `parseSpecGaps` wants it fails the build, or the page under development, with its line.
 *
 * Under development an edit reaches only who imports an export that it changes. The worker should therefore import
 * `SPEC_GAPS.md?export=specified`: through the whole file every edit would reload the extension and close its tabs.
 */
export function specGapsPlugin(): Plugin {
  const lastCode = new Map<string, string>();
  const keyOf = (environment: string, id: string) => `${environment} ${id}`;

  return {
    name: 'spec-gaps',
    transform: {
      filter: { id: /\/SPEC_GAPS\.md(\?export=\w+)?$/u },
      handler(markdown, id) {
        const [file = id, wanted] = id.split('?export=');
        try {
          const code = renderSpecGaps(markdown, wanted);
          lastCode.set(keyOf(this.environment.name, id), code);
          return { code, map: null, moduleType: 'js' };
        } catch (error) {
          if (!(error instanceof SpecGapsError)) throw error;
          lastCode.delete(keyOf(this.environment.name, id));
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
        return modules.filter(
          ({ environment, id }) =>
            id === null || lastCode.get(keyOf(environment, id)) !== tryToRender(markdown, id),
        );
      },
    },
  };
}

/** Nothing for a malformed file, which then counts as changed: the error is for the transformation to report. */
function tryToRender(markdown: string, id: string): string | undefined {
  try {
    return renderSpecGaps(markdown, id.split('?export=')[1]);
  } catch {
    return undefined;
  }
}

/**
 * The JavaScript that `SPEC_GAPS.md` stands for: one export if one is wanted, otherwise all of them.
 *
 * A bundler shares modules between entries, not exports: from one module the worker would get the long texts of the
 * pages with it. So the whole only passes on what each `SPEC_GAPS.md?export=…` holds.
 */
function renderSpecGaps(markdown: string, wanted: string | undefined): string {
  const parts = Object.entries(specGapsParts(parseSpecGaps(markdown)));
  if (wanted === undefined) {
    return parts.map(([name]) => `export { ${name} } from './SPEC_GAPS.md?export=${name}';`).join('\n');
  }
  return parts
    .filter(([name]) => name === wanted)
    .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};`)
    .join('\n');
}
