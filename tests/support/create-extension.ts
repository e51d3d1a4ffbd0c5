import messages from '../../src/static/_locales/en/messages.json' with { type: 'json' };
import type { Extension } from '../../src/ui/extension.ts';
import type { Translate } from '../../src/ui/text.ts';

/** The needed part of a `_locales` file. */
export type Messages = Readonly<Record<string, { readonly message: string }>>;

/** Returns a function that translates with one language's file, as a browser does. */
export function translateWith(texts: Messages): Translate {
  return (key, ...[values = {}]) => {
    const filled = new Map<string, string>(Object.entries(values));
    const fill = (_: string, name: string): string => filled.get(name.toLowerCase()) ?? '';
    return texts[key]?.message.replaceAll(/\$(\w+)\$/gu, fill) ?? '';
  };
}

/** Returns the English texts, as a browser in English does. */
export const english = translateWith(messages);

/**
 * Creates the `Extension` for a page of a test. Its texts are English by default.
 *
 * @param parts a client, and replacements for other members
 */
export function createExtension(parts: Pick<Extension, 'client'> & Partial<Extension>): Extension {
  return { translate: english, ...parts };
}
