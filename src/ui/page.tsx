import { Component, type ReactNode, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';

import { type Extension, ExtensionContext } from './extension.ts';
import { Crash } from './failure.tsx';
import type { Translate } from './text.ts';

interface PageProps {
  readonly extension: Extension;
  readonly children: ReactNode;
}

/** The outermost component of every page. */
export function Page({ extension, children }: PageProps) {
  return (
    <ExtensionContext value={extension}>
      <ErrorBoundary fallback={<Crash />}>{children}</ErrorBoundary>
    </ExtensionContext>
  );
}

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

interface ErrorBoundaryProps {
  readonly fallback: ReactNode;
  readonly children: ReactNode;
}

/** Shows `fallback` if its children throw while rendering. React writes the error to the page's console. */
class ErrorBoundary extends Component<ErrorBoundaryProps, { readonly hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError(): { readonly hasFailed: boolean } {
    return { hasFailed: true };
  }

  override render(): ReactNode {
    return this.state.hasFailed ? this.props.fallback : this.props.children;
  }
}
