import type { ReactNode } from 'react';

import type { MessageKey } from '../../src/ui/text.ts';
import type { FixedWorker } from './fixed-worker.ts';

/** A page, or a part of one, in a state that it can be in. */
export interface GalleryState {
  /** The popup, the options page at an address within it, what stands in for either, or something that stands in a page. */
  readonly subject: 'popup' | `#${string}` | { readonly page: ReactNode } | { readonly part: ReactNode };
  readonly worker: FixedWorker;
  /** What the person does first. */
  readonly steps?: readonly GalleryStep[];
  /** A text that says which state it is: the page is in it when it can be read. */
  readonly says: MessageKey;
}

/** Presses a button, by its text. */
export interface GalleryStep {
  readonly press: MessageKey;
}
