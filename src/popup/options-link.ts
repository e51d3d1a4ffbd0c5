import { pages } from '../contract/pages.ts';
import type { LinkTarget } from '../ui/point-cell.tsx';
import type { OpenOptions } from './open-options.ts';

/**
 * A link from the popup to an address within the options page. It is a link like any other (a new tab, a new window, its
 * address copied); a plain click goes to the tab where the page is open already.
 */
export function optionsLink(hash: string, openOptions: OpenOptions): LinkTarget {
  return {
    href: `/${pages.options}${hash}`,
    target: '_blank',
    onClick: (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
      event.preventDefault();
      void openOptions(hash);
    },
  };
}
