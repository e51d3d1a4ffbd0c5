import type { Messages } from '../../scripts/plugins/translate-with.ts';

/**
 * A language for tests, made from the English texts. `doubled` says everything twice; `mirrored` runs from right to left, as the
 * pseudo-locale ar-XB does, with the numbers of Persian.
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

/** Each word between marks that turn it round. The first mark makes the whole text one of a right-to-left script. */
function mirror(text: string): string {
  const [placeholders, words] = [/(\$\w+\$)/u, /\S+/gu];
  const turn = (part: string): string => part.replaceAll(words, '\u200F\u202E$&\u202C\u200F');
  return text
    .split(placeholders)
    .map((part) => (placeholders.test(part) ? part : turn(part)))
    .join('');
}
