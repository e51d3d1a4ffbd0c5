import { translateWith } from '../../scripts/plugins/translate-with.ts';
import messages from '../../src/static/_locales/en/messages.json' with { type: 'json' };

/** Translates as a browser in English does. */
export const english = translateWith(messages);
