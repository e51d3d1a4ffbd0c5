import type { ReactNode } from 'react';

import { AboutView } from '../features/about/options.tsx';
import { LatestFailures, MessagesView } from '../features/messages/options.tsx';
import { PreferencesView } from '../features/preferences/options.tsx';
import { showQuestions } from '../features/specification/options.tsx';
import { StoredData } from '../features/stored-data/options.tsx';
import type { PlainKey } from '../ui/text.ts';
import { ViewHeading } from '../ui/view.tsx';

/** The views of the options page, in the order of its navigation. One line for each feature. */
export const views: Views = [
  { name: 'questions', show: showQuestions },
  viewOf(
    'preferences',
    <>
      <PreferencesView />
      <StoredData />
    </>,
  ),
  viewOf('messages', <MessagesView />),
  viewOf(
    'about',
    <AboutView>
      <LatestFailures />
    </AboutView>,
  ),
];

/** Views in the order of their navigation. An empty address leads to the first. */
export type Views = readonly [View, ...View[]];

export interface View {
  /** The view's address is `#/` and this name. The message of this name is its title. */
  readonly name: PlainKey;
  /**
   * Returns the content of the view, or `undefined` if it does not have this part. `part` is the address after the name
   * and a slash, and `query` is the address after the question mark.
   */
  readonly show: (part: string | undefined, query: string) => ReactNode;
}

/** The view that an address leads to. */
export interface Route {
  readonly view: string;
  /** The rest of the address after the view. */
  readonly part: string | undefined;
  readonly content: ReactNode;
}

/** Finds the view of an address, given as in `location.hash`. */
export function findRoute(hash: string, from: Views): Route | undefined {
  const [, found = '', query = ''] = /^(?:#\/?)?([^?]*)\??(.*)$/su.exec(hash) ?? [];
  const path = found === '' ? from[0].name : found;
  for (const { name, show } of from) {
    const part = path.startsWith(`${name}/`) ? path.slice(name.length + 1) : undefined;
    const content = path === name || part !== undefined ? show(part, query) : undefined;
    if (content !== undefined) return { view: name, part, content };
  }
  return undefined;
}

/** Returns a view without parts, which has its heading above its content. */
function viewOf(name: PlainKey, content: ReactNode): View {
  const whole = (
    <>
      <ViewHeading name={name} />
      {content}
    </>
  );
  return { name, show: (part) => (part === undefined ? whole : undefined) };
}
