import type { Translate } from '../../src/ui/text.ts';

/** A `_locales` file, as far as it is needed here. */
export type Messages = Readonly<Record<string, { readonly message: string }>>;

/** Translates as a browser does, from one language's file. */
export function translateWith(messages: Messages): Translate {
  return (key, ...[values = {}]) => {
    const filled = new Map<string, string>(Object.entries(values));
    const text = messages[key]?.message ?? '';
    return text.replaceAll(/\$(\w+)\$/gu, (_, name: string) => filled.get(name.toLowerCase()) ?? '');
  };
}
