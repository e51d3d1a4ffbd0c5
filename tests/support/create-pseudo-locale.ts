import type { Messages } from '../../scripts/plugins/translate-with.ts';

const PLAIN = 'ACDEGINORSTUYZacdeginorstuyz';
const ACCENTED = 'ÅÇÐÉĜÎÑÖŔŠŢÛÝŽåçðéĝîñöŕšţûýž';

/**
 * A language for tests, made from the English texts. `doubled` says everything twice, in accented letters, as en-XA; `mirrored`
 * runs from right to left, as ar-XB (https://cldr.unicode.org/index, pseudo-locales), with the numbers of Persian.
 */
export function createPseudoLocale(english: Messages, kind: 'doubled' | 'mirrored'): Messages {
  const change = kind === 'doubled' ? double : mirror;
  const texts = Object.entries(english).map(
    ([key, entry]) => [key, { ...entry, message: change(entry.message) }] as const,
  );
  return {
    ...Object.fromEntries(texts),
    text_language: { message: kind === 'doubled' ? 'en-XA' : 'fa' },
    text_direction: { message: kind === 'doubled' ? 'ltr' : 'rtl' },
  };
}

function double(text: string): string {
  const accented = outsidePlaceholders(text, (words) =>
    words.replaceAll(/[A-Za-z]/gu, (letter) => ACCENTED[PLAIN.indexOf(letter)] ?? letter),
  );
  return `${accented} ${accented}`;
}

/** Each word between marks that turn it round. The first mark makes the whole text one of a right-to-left script. */
function mirror(text: string): string {
  return outsidePlaceholders(text, (words) => words.replaceAll(/\S+/gu, '\u200F\u202E$&\u202C\u200F'));
}

function outsidePlaceholders(text: string, change: (words: string) => string): string {
  return text
    .split(/(\$\w+\$)/u)
    .map((part) => (/^\$\w+\$$/u.test(part) ? part : change(part)))
    .join('');
}
