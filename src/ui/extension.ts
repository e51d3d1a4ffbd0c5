import type { contract } from '../contract/contract.ts';
import type { Client } from '../messaging/client/client.ts';
import type { Ahead } from './ask-ahead.ts';
import type { Translate } from './translate.ts';

/** What a page needs of the extension around it; `main.tsx` makes it from the browser, a test from memory. */
export interface Extension {
  readonly client: Client<typeof contract>;
  readonly translate: Translate;
  /** What the page has asked already, if it has. */
  readonly ahead?: Ahead;
}
