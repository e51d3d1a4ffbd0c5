import { translateWith } from '../../scripts/plugins/translate-with.ts';
import messages from '../../src/static/_locales/en/messages.json' with { type: 'json' };
import type { Extension } from '../../src/ui/extension.ts';

/** Translates as a browser in English does. */
export const english = translateWith(messages);

/**
 * Creates the extension around a page of a test. It speaks English unless the test says otherwise.
 *
 * @param parts a client, and what replaces the rest
 */
export function createExtension(parts: Pick<Extension, 'client'> & Partial<Extension>): Extension {
  return { translate: english, ...parts };
}
