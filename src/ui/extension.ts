import { createContext, useContext } from 'react';

import type { contract } from '../contract/contract.ts';
import type { Client } from '../messaging/client/client.ts';
import type { Translate } from './text.ts';

/** What a page needs of the extension around it; its entry makes it from the browser, a test from memory. */
export interface Extension {
  readonly client: Client<typeof contract>;
  readonly translate: Translate;
}

export const ExtensionContext = createContext<Extension | undefined>(undefined);

/** The extension around this page. Only below `Page`. */
export function useExtension(): Extension {
  const extension = useContext(ExtensionContext);
  if (extension === undefined) throw new Error('This component must be rendered inside <Page>.');
  return extension;
}

/** `const t = useTranslate()`, then `t('popup_all_questions')`. */
export function useTranslate(): Translate {
  return useExtension().translate;
}
