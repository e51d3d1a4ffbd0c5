import { createHash } from 'node:crypto';

import { textOf } from './built-extension.ts';
import type { BuiltExtension } from './built-extension.ts';

/** The hashes of all styles that stand in the pages, each once, as the policy has to name them. */
export function stylesIn(extension: BuiltExtension): string[] {
  const html = [...extension.files.keys()]
    .filter((path) => path.endsWith('.html'))
    .map((path) => textOf(extension, path));
  const styles = html.flatMap((page) =>
    [...page.matchAll(/<style>(.*?)<\/style>/gsu)].map(([, style = '']) => hashStyles(style)),
  );
  return [...new Set(styles)].toSorted();
}

/** The source in a content security policy that allows these styles in a `<style>` of a page. */
export function hashStyles(styles: string): string {
  return `'sha256-${createHash('sha256').update(styles).digest('base64')}'`;
}
