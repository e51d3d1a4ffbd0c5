import type { Messages } from '../../scripts/plugins/translate-with.ts';

/** A mark that is not seen and makes the text around it run from right to left. */
const MARK = '\u200F';

/** The same texts, set as those of a language that is written from right to left. */
export function rightToLeft(messages: Messages): Messages {
  const marked = Object.entries(messages).map(([key, { message }]) => [
    key,
    { message: `${MARK}${message}${MARK}` },
  ]);
  const { text_language: language } = messages;
  return {
    ...(Object.fromEntries(marked) as Messages),
    ...(language && { text_language: language }),
    text_direction: { message: 'rtl' },
  };
}
