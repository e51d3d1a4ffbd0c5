import { join } from 'node:path';

import { build, createServer } from 'vite';
import type { InlineConfig, Plugin, Rolldown } from 'vite';
import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { specGapsPlugin } from '../../../scripts/spec-gaps/spec-gaps-plugin.ts';
import { sampleMarkdown } from './sample-markdown.ts';
import { createTemporaryProject } from './temporary-project.ts';

const files = {
  'SPEC_GAPS.md': sampleMarkdown,
  'worker.js': `import { specified } from './SPEC_GAPS.md'; console.log(specified);`,
  'popup.js': `import { points, specified } from './SPEC_GAPS.md'; console.log(points, specified);`,
  'options.js': `import { gaps, points } from './SPEC_GAPS.md'; console.log(gaps, points);`,
};

describe('in a build', () => {
  it('gives each entry only what it imports', async () => {
    const { root } = createTemporaryProject(files);

    const chunks = await buildProject(root);

    expect(textOf('options', chunks)).toContain('What of 3?');
    expect(textOf('options', chunks)).not.toContain('green, like');
    expect(textOf('popup', chunks)).toContain('Entities and their fields');
    expect(textOf('popup', chunks)).not.toContain('What of 3?');
    expect(textOf('worker', chunks)).not.toContain('Entities and their fields');
  });

  it('gives the ids of what is specified', async () => {
    const specified = sampleMarkdown
      .replace('`open`\n\n### Known\n\nKnown of 7.', '`specified`\n\n### Known\n\nAll of 7.')
      .replace('1. What of 7?', 'Nothing.');
    const { root } = createTemporaryProject({ ...files, 'SPEC_GAPS.md': specified });

    const chunks = await buildProject(root);

    expect(textOf('worker', chunks)).toMatch(/\[[`"']calls[`"']\]/u);
  });

  it('fails with the file and the line of what is malformed', async () => {
    const malformed = sampleMarkdown.replace('## 3. Entities and their fields', '## 3. Entities');
    const { root } = createTemporaryProject({ ...files, 'SPEC_GAPS.md': malformed });

    const building = buildProject(root);

    await expect(building).rejects.toThrow(`${join(root, 'SPEC_GAPS.md')}:49:0`);
    await expect(building).rejects.toThrow(
      'SPEC_GAPS.md:49:1: expected the heading "## 3. Entities and their fields" of the specification, found the heading "## 3. Entities"',
    );
  });
});

describe('in the development server', () => {
  it('gives the new text after the file was edited', async () => {
    const project = createTemporaryProject(files);
    const server = await startServer(project.root);
    const before = await server.ssrLoadModule('/SPEC_GAPS.md');

    project.write('SPEC_GAPS.md', sampleMarkdown.replace('What of 3?', 'What else of 3?'));

    expect(before['gaps']).toHaveProperty('2.questions', [['What of 3?']]);
    await vi.waitFor(async () => {
      const after = await server.ssrLoadModule('/SPEC_GAPS.md');
      expect(after['gaps']).toHaveProperty('2.questions', [['What else of 3?']]);
    }, 60_000);
  });

  it('leaves alone what imports only exports that an edit does not change', async () => {
    const project = createTemporaryProject(files);
    const reached: string[] = [];
    const server = await startServer(project.root, {
      name: 'record-updates',
      // Where the plugin stands that reloads the extension when its worker is concerned.
      enforce: 'pre',
      hotUpdate({ modules }) {
        if (this.environment.name === 'client') reached.push(...modules.map(({ url }) => url));
      },
    });
    for (const name of ['', '?export=gaps', '?export=points', '?export=specified']) {
      await server.environments.client.transformRequest(`/SPEC_GAPS.md${name}`);
    }

    project.write('SPEC_GAPS.md', sampleMarkdown.replace('What of 3?', 'What else of 3?'));

    await vi.waitFor(() => expect(reached).toEqual(['/SPEC_GAPS.md?export=gaps']), 60_000);
  });

  it('fails with the line of what is malformed', async () => {
    const malformed = sampleMarkdown.replace('## 3. Entities and their fields', '## 3. Entities');
    const { root } = createTemporaryProject({ ...files, 'SPEC_GAPS.md': malformed });
    const server = await startServer(root);

    const loading = server.ssrLoadModule('/SPEC_GAPS.md');

    await expect(loading).rejects.toMatchObject({
      plugin: 'spec-gaps',
      loc: { file: join(root, 'SPEC_GAPS.md'), line: 49 },
    });
  });
});

function settings(root: string): InlineConfig {
  return { root, configFile: false, logLevel: 'silent', plugins: [specGapsPlugin()] };
}

async function buildProject(root: string): Promise<readonly Rolldown.OutputChunk[]> {
  const input = ['worker', 'popup', 'options'].map((name) => join(root, `${name}.js`));
  const result = await build({ ...settings(root), build: { write: false, rolldownOptions: { input } } });
  if (!('output' in result)) throw new Error('expected one output');
  return result.output.filter((file) => file.type === 'chunk');
}

/** The code of an entry and of all that it imports, which is what a browser loads for it. */
function textOf(entry: string, chunks: readonly Rolldown.OutputChunk[]): string {
  const loaded = new Set(chunks.filter(({ isEntry, name }) => isEntry && name === entry));
  for (const chunk of loaded) {
    for (const imported of chunks) {
      if (chunk.imports.includes(imported.fileName)) loaded.add(imported);
    }
  }
  return Array.from(loaded, ({ code }) => code).join('\n');
}

async function startServer(root: string, ...more: readonly Plugin[]) {
  const { plugins = [], ...rest } = settings(root);
  const server = await createServer({
    ...rest,
    plugins: [...plugins, ...more],
    server: { middlewareMode: true, ws: false },
  });
  onTestFinished(() => server.close());
  return server;
}
