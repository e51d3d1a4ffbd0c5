import { translateWith } from './translate-with.ts';
import messages from '../../src/static/_locales/en/messages.json' with { type: 'json' };
import type { Extension } from '../../src/ui/extension.ts';

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
