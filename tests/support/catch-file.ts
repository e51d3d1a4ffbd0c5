import { vi } from 'vitest';

/** Catches the next file that is saved. Returns its text. */
export function catchFile(): Promise<string> {
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockReturnValue();
  return new Promise((resolve) => {
    vi.spyOn(URL, 'createObjectURL').mockImplementation((file) => {
      resolve((file as Blob).text());
      return '#saved';
    });
  });
}
