import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

import { projectFolder } from '../../scripts/project-folder.ts';
import english from '../../src/static/_locales/en/messages.json' with { type: 'json' };
import { createPseudoLocale } from '../support/create-pseudo-locale.ts';
import { findLocaleFaults } from '../support/find-locale-faults.ts';

type Locale = Parameters<typeof findLocaleFaults>[0];

const folder = join(projectFolder, 'src/static/_locales');
const languages = await readdir(folder);

describe('the languages', () => {
  it.each(languages)('in %s: each message is there, with the values that it is given', async (language) => {
    const locale = JSON.parse(await readFile(join(folder, language, 'messages.json'), 'utf8')) as Locale;

    expect(findLocaleFaults(english, locale, language)).toEqual([]);
  });

  it.each(['doubled', 'mirrored'] as const)('pass the check when they are the tests’ own: %s', (kind) => {
    const pseudo = createPseudoLocale(english, kind);

    expect(findLocaleFaults(english, pseudo, pseudo['text_language']?.message ?? '')).toEqual([]);
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
      '_locales/de/messages.json has the message things_few, which nobody asks for in de.',
      '_locales/de/messages.json has the message things_many, which nobody asks for in de.',
    ]);
  });

  it.each([
    ['lacks a message', { greet: undefined }, ' lacks the message greet.'],
    [
      'has one too many',
      { farewell: { message: 'Bye' } },
      ' has the message farewell, which nobody asks for in en.',
    ],
    ['says nothing', { text_direction: { message: ' ' } }, ': text_direction says nothing.'],
    [
      'names another language',
      { text_language: { message: 'fr' } },
      ': text_language has to be en and is fr.',
    ],
    [
      'runs nowhere',
      { text_direction: { message: 'up' } },
      ': text_direction has to be ltr or rtl and is up.',
    ],
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
