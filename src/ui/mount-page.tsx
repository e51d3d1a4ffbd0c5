import { StrictMode } from 'react';
import type { ReactNode } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';

import type { Translate } from './translate.ts';

/**
 * Brings the page to life: takes over what was rendered at build time if it is in the person's language, else renders
 * it anew. The text's own language and direction count, not the browser's: it may have none of our languages.
 */
export function mountPage(page: ReactNode, translate: Translate): void {
  const container = document.getElementById('root');
  if (container === null) throw new Error('The page has no element #root.');

  const root = document.documentElement;
  const language = translate('text_language');
  const isPrerendered = container.hasChildNodes() && root.lang === language;
  root.lang = language;
  root.dir = translate('text_direction');
  delete root.dataset['text'];

  const tree = <StrictMode>{page}</StrictMode>;
  if (isPrerendered) hydrateRoot(container, tree);
  else createRoot(container).render(tree);
}
