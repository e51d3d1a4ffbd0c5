import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { describe, expect, it } from 'vitest';

import { projectFolder } from '../../scripts/project-folder.ts';
import { listSource } from '../../scripts/source-files.ts';
import { applyBlocks } from './guide-blocks.ts';
import { blocksOf, exampleDocuments, readDocument, recipes, withNeeds } from './project-with-example.ts';
import { isSample, withoutSample } from './without-sample.ts';

const STRINGS = 'src/static/_locales/en/messages.json';
const files = await listSource(projectFolder);
const own = files.filter((path) => !isSample(path));

/** The projects to which a person applies a recipe: their files, and a function that reads one. */
const projects = {
  'a fresh clone': { paths: files, read: readFile },
  'a project without the sample': {
    paths: own,
    read: (path: string) => withoutSample(readFile(path)),
  },
};

it.each(recipes)('%s begins with what it needs, and a link', (recipe) => {
  expect(readDocument(recipe)).toMatch(/^# .*\n\n\*\*Needs\*\*: [^\n]*(?:\n[^\n]+)*\]\(/);
});

describe.each(Object.entries(projects))('in %s', (_name, { paths, read }) => {
  const strings = stringsUsedIn(
    paths.filter((path) => /^(?:src\/.*\.(?:tsx?|html)|manifest\.json)$/.test(path)),
  );

  it.each(exampleDocuments)('%s applies alone, and names only what is there', (document) => {
    const blocks = withNeeds(document).flatMap(blocksOf);
    const texts = applyBlocks(blocks, read);
    const textOf = (path: string): string => texts.get(path) ?? read(path);

    const code = [...texts].filter(([path]) => /\.tsx?$/.test(path));
    const imported = code.flatMap(([path, text]) =>
      allOf(text, /from '(\.[^']+)'/g).map((to) => posix.join(posix.dirname(path), to)),
    );
    expect(imported.filter((path) => !texts.has(path) && !paths.includes(path))).toEqual([]);

    const added = blocks
      .filter(({ path }) => path === STRINGS)
      .flatMap(({ text }) => Object.keys(JSON.parse(text) as object));
    const known = new Set([...added.map(withoutCategory), ...strings]);
    const named = stringsIn(blocks.map(({ text }) => text).join('\n'));
    expect(named.filter((key) => !known.has(key))).toEqual([]);

    const callers = new Set([
      'background',
      ...allOf(textOf('src/callers.ts'), /^ {2}(\w+): (?:page|contentScript)\(/gm),
    ]);
    const listed = code.flatMap(([, text]) => allOf(text, /\b(?:callers|watch|change): \[([^\]]*)\]/g));
    const names = listed.flatMap((list) => allOf(list, /'(\w+)'/g));
    expect(names.filter((name) => !callers.has(name))).toEqual([]);
  });
});

/** Returns the keys of the strings that files use. */
function stringsUsedIn(paths: readonly string[]): ReadonlySet<string> {
  return new Set(paths.flatMap((path) => allOf(readFile(path), /'(\w+)'|__MSG_(\w+)__/g)));
}

/** Returns the keys of strings that a text names, without the category of a plural form. */
function stringsIn(text: string): string[] {
  return [
    ...allOf(text, /\b(?:t|translate)\('(\w+)'/g),
    ...allOf(text, /\btranslateCount\(t, '(\w+)'/g),
    ...allOf(text, /__MSG_(\w+)__/g),
    ...allOf(text, /^\+.*viewOf\('(\w+)'/gm),
  ];
}

function withoutCategory(key: string): string {
  return key.replace(/_(?:one|other)$/, '');
}

function allOf(text: string, pattern: RegExp): string[] {
  return Array.from(text.matchAll(pattern), ([, first, second]) => first ?? second ?? '');
}

function readFile(path: string): string {
  return readFileSync(`${projectFolder}/${path}`, 'utf8');
}
