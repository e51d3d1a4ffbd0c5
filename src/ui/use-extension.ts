import { useContext } from 'react';

import { ExtensionContext } from './extension-context.ts';
import type { Extension } from './extension.ts';

/** The extension around this page. Only below `Page`. */
export function useExtension(): Extension {
  const extension = useContext(ExtensionContext);
  if (extension === undefined) throw new Error('This component has to be rendered inside <Page>.');
  return extension;
}
