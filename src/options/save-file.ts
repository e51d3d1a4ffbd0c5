import type { Json } from '../messaging/json.ts';

/** Lets the browser save a value as a JSON file: a download, which needs no permission. */
export function saveFile(name: string, value: Json): void {
  const url = URL.createObjectURL(
    new Blob([`${JSON.stringify(value, undefined, 2)}\n`], { type: 'application/json' }),
  );
  const link = Object.assign(document.createElement('a'), { href: url, download: name });
  link.click();
  // The browser has taken hold of it by then.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
