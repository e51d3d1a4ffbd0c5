import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

import { projectFolder } from '../../scripts/project-folder.ts';
import messages from '../../src/static/_locales/en/messages.json' with { type: 'json' };
import { createPseudoLocale } from '../support/create-pseudo-locale.ts';

const folder = join(projectFolder, 'src/static/_locales');
const languages = await readdir(folder);

describe('the languages', () => {
  it.each(languages)('in %s: each message is there, with the values that it is given', async (language) => {
    const locale = JSON.parse(await readFile(join(folder, language, 'messages.json'), 'utf8')) as Locale;

    expect(findLocaleFaults(messages, locale, language)).toEqual([]);
  });

  it.each(['doubled', 'mirrored'] as const)('pass the check when they are the tests’ own: %s', (kind) => {
    const pseudo = createPseudoLocale(messages, kind);

    expect(findLocaleFaults(messages, pseudo, pseudo['text_language']?.message ?? '')).toEqual([]);
  });
});

describe('a language file', () => {
  const ask = {
    text_language: { message: 'en' },
    text_direction: { message: 'ltr' },
    greet: {
      message: 'Hello $NAME$, from $PLACE$',
      placeholders: { name: { content: '$1' }, place: { content: '$2' } },
    },
    things_one: { message: 'One' },
    things_other: { message: 'Many' },
  };
  const polish = {
    ...ask,
    text_language: { message: 'pl' },
    things_few: { message: 'Kilka' },
    things_many: { message: 'Wiele' },
  };

  it('has a message for each plural category of its language', () => {
    const { things_few: _few, ...incomplete } = polish;

    expect(findLocaleFaults(ask, polish, 'pl')).toEqual([]);
    expect(findLocaleFaults(ask, incomplete, 'pl')).toEqual([
      '_locales/pl/messages.json lacks the message things_few.',
    ]);
    expect(findLocaleFaults(ask, { ...polish, text_language: { message: 'de' } }, 'de')).toEqual([
      '_locales/de/messages.json has the message things_few, which is not used in de.',
      '_locales/de/messages.json has the message things_many, which is not used in de.',
    ]);
  });

  it.each([
    ['lacks a message', { greet: undefined }, ' lacks the message greet.'],
    [
      'has one too many',
      { farewell: { message: 'Bye' } },
      ' has the message farewell, which is not used in en.',
    ],
    ['says nothing', { text_direction: { message: ' ' } }, ': text_direction says nothing.'],
    ['names another language', { text_language: { message: 'fr' } }, ': text_language must be en and is fr.'],
    ['runs nowhere', { text_direction: { message: 'up' } }, ': text_direction must be ltr or rtl and is up.'],
    [
      'forgets a value',
      { greet: { ...ask.greet, message: 'Hello $NAME$' } },
      ': greet uses the placeholders [name] where English has [name, place].',
    ],
    [
      'misspells a value',
      { greet: { ...ask.greet, message: 'Hello $NAME$, from $PLAZE$' } },
      ': greet uses the placeholders [name, plaze] where English has [name, place].',
    ],
    [
      'declares other values',
      { greet: { ...ask.greet, placeholders: { name: { content: '$1' } } } },
      ': greet has the placeholders [name] where English has [name, place].',
    ],
    [
      'mixes the values up',
      { greet: { ...ask.greet, placeholders: { name: { content: '$2' }, place: { content: '$2' } } } },
      ': greet gives $NAME$ as $2, which is $1.',
    ],
  ])('that %s fails, and the failure says so', (_, change, sentence) => {
    const changed = JSON.parse(JSON.stringify({ ...ask, ...change })) as Locale;

    expect(findLocaleFaults(ask, changed, 'en')).toContain(`_locales/en/messages.json${sentence}`);
  });
});

interface Message {
  readonly message: string;
  readonly placeholders?: Readonly<Record<string, { readonly content: string }>>;
}

type Locale = Readonly<Record<string, Message>>;

/**
 * What is wrong with a language's file, in a sentence each.
 *
 * @param language as its folder in `_locales` is called: `de`, `pt_BR`
 */
function findLocaleFaults(english: Locale, locale: Locale, language: string): string[] {
  const tag = language.replace('_', '-');
  const expected = expectedKeys(english, tag);
  const file = `_locales/${language}/messages.json`;
  const faults: string[] = [];

  for (const [key, counterpart] of expected) {
    const entry = locale[key];
    if (entry === undefined) faults.push(`${file} lacks the message ${key}.`);
    else faults.push(...messageFaults(entry, counterpart).map((fault) => `${file}: ${key} ${fault}.`));
  }
  for (const key of Object.keys(locale)) {
    if (!expected.has(key)) faults.push(`${file} has the message ${key}, which is not used in ${tag}.`);
  }
  const { text_language: named, text_direction: direction } = locale;
  if (named && named.message !== tag) {
    faults.push(`${file}: text_language must be ${tag} and is ${named.message}.`);
  }
  if (direction && !['ltr', 'rtl'].includes(direction.message)) {
    faults.push(`${file}: text_direction must be ltr or rtl and is ${direction.message}.`);
  }
  return faults;
}

/** The keys of a language, each with the English message that it stands for: one for each of its plural categories. */
function expectedKeys(english: Locale, tag: string): Map<string, Message> {
  const { pluralCategories } = new Intl.PluralRules(tag).resolvedOptions();
  const entries = Object.entries(english).flatMap(([key, message]): [string, Message][] => {
    const base = /^(.*)_(one|other)$/.exec(key)?.[1];
    if (base === undefined || english[`${base}_other`] === undefined) return [[key, message]];
    return pluralCategories.map((category) => [
      `${base}_${category}`,
      english[`${base}_${category}`] ?? english[`${base}_other`] ?? message,
    ]);
  });
  return new Map(entries);
}

function messageFaults({ message, placeholders = {} }: Message, english: Message): string[] {
  const faults: string[] = [];
  if (message.trim() === '') faults.push('says nothing');

  const names = Object.keys(english.placeholders ?? {}).toSorted();
  const declared = Object.keys(placeholders).toSorted();
  const used = [...new Set([...message.matchAll(/\$(\w+)\$/g)].map(([, name = '']) => name.toLowerCase()))];
  if (declared.join() !== names.join()) {
    faults.push(`has the placeholders [${declared.join(', ')}] where English has [${names.join(', ')}]`);
  }
  if (used.toSorted().join() !== names.join()) {
    faults.push(`uses the placeholders [${used.join(', ')}] where English has [${names.join(', ')}]`);
  }
  for (const name of declared) {
    const [content, wanted] = [placeholders[name]?.content, english.placeholders?.[name]?.content];
    if (wanted !== undefined && content !== wanted) {
      faults.push(`gives $${name.toUpperCase()}$ as ${content}, which is ${wanted}`);
    }
  }
  return faults;
}
