import { type ComponentProps, createContext, useContext } from 'react';

import { pages } from '../callers.ts';
import type { Api } from '../background/features.ts';
import type { Client } from '../messaging/client/client.ts';
import type { Translate } from './text.ts';

/** Functions that a page needs from the extension. The page's entry file creates them; tests use an in-memory version. */
export interface Extension {
  readonly client: Client<Api>;
  readonly translate: Translate;
  /** Shows the options page at an address such as `#/preferences`. Missing in the options page itself. */
  readonly openOptions?: (hash: string) => Promise<void>;
}

export const ExtensionContext = createContext<Extension | undefined>(undefined);

/** Returns the extension of this page. Throws outside of `Page`. */
export function useExtension(): Extension {
  const extension = useContext(ExtensionContext);
  if (extension === undefined) throw new Error('This component must be rendered inside <Page>.');
  return extension;
}

/** Returns the function that translates: `const t = useTranslate()`, then `t('popup_options')`. */
export function useTranslate(): Translate {
  return useExtension().translate;
}

/** Attributes of a link. */
export type LinkTarget = Pick<ComponentProps<'a'>, 'href' | 'target' | 'onClick'>;

/**
 * Returns a function that returns the attributes of a link to an address within the options page: `<a {...linkTo('#/preferences')}>`. In
 * the popup, a plain click reuses the tab in which the options page is already open. The link still works like any other:
 * it can be opened in a new tab or window, and its address can be copied.
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
        // If that fails, the page is opened in a new tab.
        openOptions(hash).catch(() => window.open(href));
      },
    };
  };
}
