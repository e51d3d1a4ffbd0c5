import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

import messages from '../../src/static/_locales/en/messages.json' with { type: 'json' };

interface Message {
  readonly message: string;
  readonly placeholders?: Readonly<Record<string, { readonly content: string }>>;
}

type Locale = Readonly<Record<string, Message>>;

const english: Locale = messages;
const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).map((file) => `src/${file}`);
const pages = ['manifest.json', ...files.filter((file) => file.endsWith('.html'))].map(read).join('\n');

it('every message that the manifest and the pages name exists', () => {
  const named = Array.from(pages.matchAll(/__MSG_(\w+)__/g), ([, key = '']) => key);

  expect(named).toContain('extension_name');
  expect(named.filter((key) => !Object.hasOwn(messages, key))).toEqual([]);
});

it('every message is used', () => {
  const code = files
    .filter((file) => /\.tsx?$/.test(file))
    .map(read)
    .join('\n');
  const isUsed = (key: string): boolean =>
    code.includes(`'${key}'`) || code.includes(`name="${key}"`) || pages.includes(`__MSG_${key}__`);

  const unused = Object.keys(messages).filter((key) => !isUsed(key) && !isUsed(withoutCategory(key)));

  expect(unused).toEqual([]);
});

it('placeholders are numbered in the order of their names, as the translation expects', () => {
  for (const [key, { placeholders = {} }] of Object.entries(english)) {
    const names = Object.keys(placeholders).toSorted();
    const contents = names.map((name) => placeholders[name]?.content);
    expect.soft(contents, key).toEqual(names.map((_, at) => `$${at + 1}`));
  }
});

it.each(readdirSync('src/static/_locales'))(
  'the language %s has every message, none is empty, and all have the placeholders of English',
  (folder) => {
    const locale = JSON.parse(read(`src/static/_locales/${folder}/messages.json`)) as Locale;
    const language = folder.replace('_', '-');

    const [keys, needed] = [Object.keys(locale), keysIn(language)];
    expect({
      missing: needed.filter((key) => !keys.includes(key)),
      unknown: keys.filter((key) => !needed.includes(key)),
    }).toEqual({ missing: [], unknown: [] });
    expect(locale['text_language']?.message).toBe(language);
    expect(locale['text_direction']?.message).toMatch(/^(ltr|rtl)$/);
    for (const [key, { message, placeholders = {} }] of Object.entries(locale)) {
      const { placeholders: expected = {} } = english[key] ?? english[`${withoutCategory(key)}_other`] ?? {};
      const names = new Set(
        Array.from(message.matchAll(/\$(\w+)\$/g), ([, name = '']) => name.toLowerCase()),
      );
      expect.soft(message.trim(), key).not.toBe('');
      expect.soft(placeholders, key).toEqual(expected);
      expect.soft([...names].toSorted(), key).toEqual(Object.keys(expected).toSorted());
    }
  },
);

/** Returns the keys of a language. A message with plural forms has a key for each plural category of the language. */
function keysIn(language: string): string[] {
  const categories = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
  const keys = Object.keys(english).flatMap((key) => {
    const base = withoutCategory(key);
    return base === key ? [key] : categories.map((category) => `${base}_${category}`);
  });
  return [...new Set(keys)];
}

/** Removes the plural category: `gap_questions_one` becomes `gap_questions`. Other keys are returned unchanged. */
function withoutCategory(key: string): string {
  const base = key.replace(/_(?:zero|one|two|few|many|other)$/, '');
  return Object.hasOwn(messages, `${base}_other`) ? base : key;
}

function read(file: string): string {
  return readFileSync(file, 'utf8');
}
