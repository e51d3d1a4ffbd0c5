import type { ReactNode } from 'react';

import { AboutView } from './about.tsx';
import { MessagesView } from './messages/messages.tsx';
import { PreferencesView } from './preferences.tsx';
import { showQuestions } from './questions/questions.tsx';

/**
 * The views of the options page, in the order of its navigation. The address of a view is `#/` and its name, its title
 * the message of that name. `show` gives what the view shows, for what follows its name and a slash and for the query after
 * a question mark; nothing where it has no such part.
 */
export const views = [
  { name: 'questions', show: showQuestions },
  { name: 'preferences', show: whole(<PreferencesView />) },
  { name: 'messages', show: whole(<MessagesView />) },
  { name: 'about', show: whole(<AboutView />) },
] as const satisfies readonly View[];

interface View {
  readonly name: string;
  readonly show: (part: string | undefined, query: string) => ReactNode;
}

/** What an address leads to. */
export interface Route {
  readonly view: (typeof views)[number]['name'];
  /** What follows the view in the address. */
  readonly part: string | undefined;
  readonly content: ReactNode;
}

/** Finds what an address leads to, given as `location.hash` has it. The first view has the empty address as well. */
export function findRoute(hash: string): Route | undefined {
  const [, found = '', query = ''] = /^(?:#\/?)?([^?]*)\??(.*)$/su.exec(hash) ?? [];
  const path = found === '' ? views[0].name : found;
  for (const { name, show } of views) {
    const part = path.startsWith(`${name}/`) ? path.slice(name.length + 1) : undefined;
    const content = path === name || part !== undefined ? show(part, query) : undefined;
    if (content !== undefined) return { view: name, part, content };
  }
  return undefined;
}

function whole(content: ReactNode): View['show'] {
  return (part) => (part === undefined ? content : undefined);
}
