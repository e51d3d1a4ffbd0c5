import type messages from '../static/_locales/en/messages.json';

type Messages = typeof messages;

/** Key of a text that people read. */
export type MessageKey = keyof Messages;

/** Values for the placeholders of a message, by name. A message without placeholders takes none. */
export type MessageValues<Key extends MessageKey> = Messages[Key] extends { readonly placeholders: infer P }
  ? [values: { readonly [Name in keyof P]: string }]
  : [];

/** A message without placeholders. */
export type PlainKey = Plain<MessageKey>;
type Plain<Key extends MessageKey> = Key extends MessageKey
  ? MessageValues<Key> extends []
    ? Key
    : never
  : never;

/** The text under a key, in the language that the browser chose for this extension. */
export type Translate = <Key extends MessageKey>(key: Key, ...values: MessageValues<Key>) => string;

/** Key of a message that depends on a number, without the plural category: `gap_unanswered` for `gap_unanswered_other`. */
type CountKey = MessageKey extends infer Key ? (Key extends `${infer Base}_other` ? Base : never) : never;

/** The text for a number of things. A language has one message for each of its categories in `Intl.PluralRules`. */
export function translateCount(translate: Translate, key: CountKey, count: number): string {
  const language = translate('text_language');
  const category = new Intl.PluralRules(language).select(count);
  const values = { count: formatNumber(count, language) };

  // Only the English categories are keys; a message that a language lacks comes back empty.
  return translate(`${key}_${category}` as `${CountKey}_other`, values) || translate(`${key}_other`, values);
}

/** A number in the notation of a language. The popup's first frame does without it: the first use of `Intl` took up to 29 ms. */
export function formatNumber(value: number, language: string, options?: Intl.NumberFormatOptions): string {
  const key = language + JSON.stringify(options);
  const format = numberFormats.get(key) ?? new Intl.NumberFormat(language, options);
  numberFormats.set(key, format);
  return format.format(value);
}

/** Creating a format takes 50 times as long as using it, and a list of messages uses one in every row. */
const numberFormats = new Map<string, Intl.NumberFormat>();
const timeFormats = new Map<string, Intl.DateTimeFormat>();

/** A time, given in ms since 1970, in the notation of a language, to the millisecond or to the second. */
export function formatTime(at: number, language: string, step: 'millisecond' | 'second'): string {
  const key = language + step;
  const format =
    timeFormats.get(key) ??
    new Intl.DateTimeFormat(language, {
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      ...(step === 'millisecond' && { fractionalSecondDigits: 3 }),
      hourCycle: 'h23',
    });
  timeFormats.set(key, format);
  return format.format(at);
}

/** A size in the notation of a language: `512 bytes`, `1.4 kB`. */
export function formatBytes(bytes: number, language: string): string {
  return bytes < 1_000
    ? formatNumber(bytes, language, { style: 'unit', unit: 'byte', unitDisplay: 'long' })
    : formatNumber(bytes / 1_000, language, { style: 'unit', unit: 'kilobyte', maximumFractionDigits: 1 });
}
