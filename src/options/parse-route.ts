import { gapIds } from '../contract/spec-gaps.ts';
import { pointAddress } from '../ui/point-address.ts';
import type { Route } from './route.ts';

/** What an address shows, given as `location.hash` has it. */
export function parseRoute(hash: string): Route {
  switch (hash) {
    case '':
    case '#/':
    case '#/specification':
      return { view: 'specification' };
    case '#/preferences':
      return { view: 'preferences' };
    case '#/messages':
      return { view: 'messages' };
    case '#/about':
      return { view: 'about' };
    default: {
      const id = gapIds.find((candidate) => hash === pointAddress(candidate));
      return id === undefined ? { view: 'unknown', address: hash } : { view: 'point', id };
    }
  }
}
