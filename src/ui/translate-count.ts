import { formatNumber } from './format-number.ts';
import type { MessageKey, Translate } from './translate.ts';

/** Messages that depend on a number, without their plural category: `gap_questions` for `gap_questions_other`. */
type CountKey = MessageKey extends infer Key ? (Key extends `${infer Base}_other` ? Base : never) : never;

/** The text for a number of things. A language has as many messages as `Intl.PluralRules` knows categories for it. */
export function translateCount(translate: Translate, key: CountKey, count: number): string {
  const language = translate('text_language');
  const category = new Intl.PluralRules(language).select(count);
  const values = { count: formatNumber(count, language) };

  // Only the English categories are keys; a message that a language lacks comes back empty.
  return translate(`${key}_${category}` as `${CountKey}_other`, values) || translate(`${key}_other`, values);
}
