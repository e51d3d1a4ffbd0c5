import type { GapId } from '../contract/spec-gaps.ts';

/** What the options page can show. */
export type Route =
  | { readonly view: 'specification' | 'preferences' | 'messages' | 'about' }
  | { readonly view: 'point'; readonly id: GapId }
  | { readonly view: 'unknown'; readonly address: string };
