import { type ComponentProps, createContext, useContext } from 'react';

import { pages } from '../callers.ts';
import type { contract } from '../contract.ts';
import type { Client } from '../messaging/client/client.ts';
import type { Translate } from './text.ts';

/** The extension around a page. The entry of the page makes it from the browser, a test from memory. */
export interface Extension {
  readonly client: Client<typeof contract>;
  readonly translate: Translate;
  /** Shows the options page at an address such as `#/preferences`. Missing in the options page itself. */
  readonly openOptions?: (hash: string) => Promise<void>;
}

export const ExtensionContext = createContext<Extension | undefined>(undefined);

/** The extension around this page. Only below `Page`. */
export function useExtension(): Extension {
  const extension = useContext(ExtensionContext);
  if (extension === undefined) throw new Error('This component must be rendered inside <Page>.');
  return extension;
}

/** `const t = useTranslate()`, then `t('popup_options')`. */
export function useTranslate(): Translate {
  return useExtension().translate;
}

/** Attributes of a link. */
export type LinkTarget = Pick<ComponentProps<'a'>, 'href' | 'target' | 'onClick'>;

/**
 * Returns a function that makes a link to an address within the options page: `<a {...linkTo('#/preferences')}>`. In the
 * popup it is a link like any other (a new tab, a new window, its address copied), but a plain click goes to the tab in
 * which the options page is open already.
 */
export function useOptionsLink(): (hash: string) => LinkTarget {
  const { openOptions } = useExtension();
  if (openOptions === undefined) return (hash) => ({ href: hash });
  return (hash) => {
    const href = `/${pages.options}${hash}`;
    return {
      href,
      target: '_blank',
      onClick: (event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
        event.preventDefault();
        // The link still leads there when the tab cannot be found.
        openOptions(hash).catch(() => window.open(href));
      },
    };
  };
}
