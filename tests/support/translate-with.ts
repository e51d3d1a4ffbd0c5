import type { Translate } from '../../src/ui/text.ts';

/** The needed part of a `_locales` file. */
export type Messages = Readonly<Record<string, { readonly message: string }>>;

/** Returns a function that translates with one language's file, as a browser does. */
export function translateWith(messages: Messages): Translate {
  return (key, ...[values = {}]) => {
    const filled = new Map<string, string>(Object.entries(values));
    const fill = (_: string, name: string): string => filled.get(name.toLowerCase()) ?? '';
    return messages[key]?.message.replaceAll(/\$(\w+)\$/gu, fill) ?? '';
  };
}
