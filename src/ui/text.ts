import type messages from '../static/_locales/en/messages.json';

type Messages = typeof messages;

/** Key of a message in `_locales`. */
export type MessageKey = keyof Messages;

/** Values for the placeholders of a message, by name. Empty for a message without placeholders. */
export type MessageValues<Key extends MessageKey> = Messages[Key] extends { readonly placeholders: infer P }
  ? [values: { readonly [Name in keyof P]: string }]
  : [];

/** Key of a message without placeholders. */
export type PlainKey = Plain<MessageKey>;
type Plain<Key extends MessageKey> = Key extends MessageKey
  ? MessageValues<Key> extends []
    ? Key
    : never
  : never;

/** Returns the message of a key, in the language that the browser chose for this extension. */
export type Translate = <Key extends MessageKey>(key: Key, ...values: MessageValues<Key>) => string;

/** Key of a message with plural forms, without the plural category: `save_questions` for `save_questions_other`. */
type CountKey = MessageKey extends infer Key ? (Key extends `${infer Base}_other` ? Base : never) : never;

/** Returns the message for a count. A language has one message for each of its categories in `Intl.PluralRules`. */
export function translateCount(translate: Translate, key: CountKey, count: number): string {
  const language = translate('text_language');
  const category = new Intl.PluralRules(language).select(count);
  const values = { count: formatNumber(count, language) };

  // Only English categories are typed as keys. The browser returns an empty text for a category that a language lacks.
  return translate(`${key}_${category}` as `${CountKey}_other`, values) || translate(`${key}_other`, values);
}

/** Formats a number for a language. The popup's first frame avoids it: the first use of `Intl` took up to 29 ms. */
export function formatNumber(value: number, language: string, options?: Intl.NumberFormatOptions): string {
  const key = language + JSON.stringify(options);
  const format = numberFormats.get(key) ?? new Intl.NumberFormat(language, options);
  numberFormats.set(key, format);
  return format.format(value);
}

/** Formats are kept, because creating a format takes 50 times as long as using it, and every row of a list of messages uses one. */
const numberFormats = new Map<string, Intl.NumberFormat>();
const timeFormats = new Map<string, Intl.DateTimeFormat>();

/** Formats a time for a language, to the millisecond or with its date. `at` is in ms since 1970. */
export function formatTime(at: number, language: string, form: 'millisecond' | 'date'): string {
  const key = language + form;
  const format =
    timeFormats.get(key) ??
    new Intl.DateTimeFormat(language, {
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      ...(form === 'millisecond' && { fractionalSecondDigits: 3 }),
      ...(form === 'date' && { year: 'numeric', month: 'short', day: 'numeric' }),
      hourCycle: 'h23',
    });
  timeFormats.set(key, format);
  return format.format(at);
}
