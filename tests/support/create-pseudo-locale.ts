import type { Messages } from './create-extension.ts';

/**
 * Makes a language for tests from the English texts. `doubled` repeats each text. `mirrored` runs from right to left, like the
 * pseudo-locale ar-XB, and has Persian digits.
 */
export function createPseudoLocale(english: Messages, kind: 'doubled' | 'mirrored'): Messages {
  const change = kind === 'doubled' ? (text: string): string => `${text} ${text}` : mirror;
  const texts = Object.entries(english).map(
    ([key, entry]) => [key, { ...entry, message: change(entry.message) }] as const,
  );
  return {
    ...Object.fromEntries(texts),
    text_language: { message: kind === 'doubled' ? 'en-XA' : 'fa' },
    text_direction: { message: kind === 'doubled' ? 'ltr' : 'rtl' },
  };
}

/** Puts each word between marks that reverse it. The first mark gives the whole text the direction from right to left. */
function mirror(text: string): string {
  const [placeholders, words] = [/(\$\w+\$)/u, /\S+/gu];
  const turn = (part: string): string => part.replaceAll(words, '\u200F\u202E$&\u202C\u200F');
  return text
    .split(placeholders)
    .map((part) => (placeholders.test(part) ? part : turn(part)))
    .join('');
}
