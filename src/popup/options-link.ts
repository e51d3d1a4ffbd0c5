import { pages } from '../contract/pages.ts';
import type { LinkTarget } from '../ui/point-cell.tsx';
import type { OpenOptions } from './open-options.ts';

/**
 * A link from the popup to an address within the options page. It is a link like any other (a new tab, a new window,
 * its address copied); a plain click goes to the tab where the page is open already.
 */
export function optionsLink(hash: string, openOptions: OpenOptions): LinkTarget {
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
}
