import { type ReactNode, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';

import type { Translate } from './text.ts';

/**
 * Renders a page. The page gets the language and direction of its messages, because the extension may lack the browser's
 * language.
 */
export function mountPage(page: ReactNode, translate: Translate): void {
  const container = document.getElementById('root');
  if (container === null) throw new Error('The page has no element #root.');

  const root = document.documentElement;
  root.lang = translate('text_language');
  root.dir = translate('text_direction');
  document.title = translate('extension_name');

  createRoot(container).render(<StrictMode>{page}</StrictMode>);
}
