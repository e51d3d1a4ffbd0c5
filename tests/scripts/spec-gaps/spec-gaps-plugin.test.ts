import { join } from 'node:path';

import { build, createServer } from 'vite';
import type { InlineConfig, Rolldown } from 'vite';
import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { specGapsPlugin } from '../../../scripts/spec-gaps/spec-gaps-plugin.ts';
import { sampleMarkdown } from './sample-markdown.ts';
import { createTemporaryProject } from './temporary-project.ts';

const files = {
  'SPEC_GAPS.md': sampleMarkdown,
  'popup.js': `import { points } from './SPEC_GAPS.md?points'; console.log(points);`,
  'options.js': `
    import { gaps } from './SPEC_GAPS.md';
    import { points } from './SPEC_GAPS.md?points';
    console.log(gaps, points);
  `,
};

describe('in a build', () => {
  it('gives each entry only what it imports', async () => {
    const { root } = createTemporaryProject(files);

    const chunks = await buildProject(root);

    expect(textOf('options', chunks)).toContain('What of 3?');
    expect(textOf('options', chunks)).not.toContain('green, like');
    expect(textOf('popup', chunks)).toContain('Entities and their fields');
    expect(textOf('popup', chunks)).not.toContain('What of 3?');
  });

  it('fails with the file and the line of what is malformed', async () => {
    const malformed = sampleMarkdown.replace('## 3. Entities and their fields', '## 3. Entities');
    const { root } = createTemporaryProject({ ...files, 'SPEC_GAPS.md': malformed });

    const building = buildProject(root);

    await expect(building).rejects.toThrow(`${join(root, 'SPEC_GAPS.md')}:45:0`);
    await expect(building).rejects.toThrow(
      'SPEC_GAPS.md:45:1: expected the heading "## 3. Entities and their fields", found "## 3. Entities"',
    );
  });
});

describe('in the development server', () => {
  it('gives the new text after the file was edited', async () => {
    const project = createTemporaryProject(files);
    const server = await startServer(project.root);
    const before = await server.ssrLoadModule('/SPEC_GAPS.md');

    project.write('SPEC_GAPS.md', sampleMarkdown.replace('What of 3?', 'What now of 3?'));

    expect(before['gaps']).toHaveProperty('2.questions.0.text', ['What of 3?']);
    await vi.waitFor(async () => {
      const after = await server.ssrLoadModule('/SPEC_GAPS.md');
      expect(after['gaps']).toHaveProperty('2.questions.0.text', ['What now of 3?']);
    }, 60_000);
  });

  it('fails with the line of what is malformed', async () => {
    const malformed = sampleMarkdown.replace('## 3. Entities and their fields', '## 3. Entities');
    const { root } = createTemporaryProject({ ...files, 'SPEC_GAPS.md': malformed });
    const server = await startServer(root);

    const loading = server.ssrLoadModule('/SPEC_GAPS.md');

    await expect(loading).rejects.toMatchObject({
      plugin: 'spec-gaps',
      loc: { file: join(root, 'SPEC_GAPS.md'), line: 45 },
    });
  });
});

function settings(root: string): InlineConfig {
  return { root, configFile: false, logLevel: 'silent', plugins: [specGapsPlugin()] };
}

async function buildProject(root: string): Promise<readonly Rolldown.OutputChunk[]> {
  const input = ['popup', 'options'].map((name) => join(root, `${name}.js`));
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

async function startServer(root: string) {
  const server = await createServer({ ...settings(root), server: { middlewareMode: true, ws: false } });
  onTestFinished(() => server.close());
  return server;
}
