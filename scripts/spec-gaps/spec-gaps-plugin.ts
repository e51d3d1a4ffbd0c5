import type { Plugin } from 'vite';

import { renderSpecGaps } from './render-spec-gaps.ts';
import { SpecGapsError } from './spec-gaps-error.ts';

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
