import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';

import { projectFolder } from '../../scripts/project-folder.ts';
import messages from '../../src/static/_locales/en/messages.json' with { type: 'json' };

interface Message {
  readonly message: string;
  readonly placeholders?: Readonly<Record<string, { readonly content: string }>>;
}

const entries: readonly (readonly [string, Message])[] = Object.entries(messages);

let code: string;
let named: readonly string[];

beforeAll(async () => {
  const source = join(projectFolder, 'src');
  const files = await readdir(source, { recursive: true });
  const read = (file: string): Promise<string> => readFile(join(source, file), 'utf8');
  code = (await Promise.all(files.filter((file) => /\.tsx?$/.test(file)).map(read))).join('\n');

  const pages = await Promise.all(files.filter((file) => file.endsWith('.html')).map(read));
  const manifest = await readFile(join(projectFolder, 'manifest.json'), 'utf8');
  named = [manifest, ...pages].flatMap((text) =>
    [...text.matchAll(/__MSG_(\w+)__/g)].map(([, key]) => key ?? ''),
  );
});

describe('the messages', () => {
  it('have every key that the manifest and the pages name', () => {
    const missing = named.filter((key) => !Object.hasOwn(messages, key));

    expect(named).toContain('extension_name');
    expect(missing).toEqual([]);
  });

  it('have every key that the code uses', () => {
    const asked = [...code.matchAll(/\bt\(\s*'(\w+)'/g)].map(([, key]) => key ?? '');

    const missing = asked.filter((key) => !Object.hasOwn(messages, key));

    expect(asked.length).toBeGreaterThan(20);
    expect(missing).toEqual([]);
  });

  it('have no unused key', () => {
    const unused = entries
      .map(([key]) => key)
      .filter((key) => !named.includes(key) && !isQuoted(key) && !isQuoted(key.replace(/_(one|other)$/, '')));

    expect(unused).toEqual([]);
  });

  it.each(entries.filter(([, { placeholders }]) => placeholders))(
    '%s numbers its placeholders in the order of their names, as the translation expects',
    (_, { message, placeholders = {} }) => {
      const names = Object.keys(placeholders).toSorted();

      const used = new Set([...message.matchAll(/\$(\w+)\$/g)].map(([, name = '']) => name.toLowerCase()));

      expect(names.map((name) => placeholders[name]?.content)).toEqual(
        names.map((_name, index) => `$${index + 1}`),
      );
      expect([...used].toSorted()).toEqual(names);
    },
  );

  it('say something each', () => {
    expect(entries.filter(([, { message }]) => message.trim() === '')).toEqual([]);
  });
});

function isQuoted(key: string): boolean {
  return code.includes(`'${key}'`);
}
