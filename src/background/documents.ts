import type { Document } from './define-document.ts';
import { preferences } from './preferences-document.ts';

/** All state of the extension, what is in quarantine aside. */
export const documents: readonly Document<unknown>[] = [preferences];
