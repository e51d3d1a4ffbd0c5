import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { Messages } from '../../scripts/plugins/translate-with.ts';

/**
 * Adds a language to a build, which takes one file. The browsers of the tests are American: under that name this language is
 * the one they choose, and the English of the build is that of somebody else.
 */
export async function withLanguage(folder: string, messages: Messages): Promise<string> {
  const locale = join(folder, '_locales', 'en_US');
  await mkdir(locale, { recursive: true });
  await writeFile(join(locale, 'messages.json'), JSON.stringify(messages));
  return folder;
}
