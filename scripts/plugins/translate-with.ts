import type { Translate } from '../../src/ui/text.ts';

/** A `_locales` file, as far as it is needed here. */
export type Messages = Readonly<Record<string, { readonly message: string }>>;

/** Translates as a browser does, from one language's file. */
export function translateWith(messages: Messages): Translate {
  return (key, ...[values = {}]) => {
    const filled = new Map<string, string>(Object.entries(values));
    const fill = (_: string, name: string): string => filled.get(name.toLowerCase()) ?? '';
    return messages[key]?.message.replaceAll(/\$(\w+)\$/gu, fill) ?? '';
  };
}
