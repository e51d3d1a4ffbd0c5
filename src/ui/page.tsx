import { Component, createContext, type ReactNode, StrictMode, useContext, useLayoutEffect } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';

import type { Preferences, Theme } from '../contract/preferences.ts';
import { type CallState, useSubscription } from './calls.ts';
import { type Extension, ExtensionContext } from './extension.ts';
import { Crash } from './failure.tsx';
import type { Translate } from './text.ts';

interface PageProps {
  readonly extension: Extension;
  readonly children: ReactNode;
}

/** What every page of the extension stands in. */
export function Page({ extension, children }: PageProps) {
  return (
    <ExtensionContext value={extension}>
      <ErrorBoundary fallback={<Crash />}>
        <PreferencesProvider>{children}</PreferencesProvider>
      </ErrorBoundary>
    </ExtensionContext>
  );
}

/** The preferences as the background has them, now and after every change, whichever page makes it. */
export function usePreferences(): CallState<Preferences> {
  return useContext(PreferencesContext);
}

/**
 * Brings a page to life: hydrates what was rendered at build time if it is in the person's language, else renders it
 * again. The language and direction are those of the text, not the browser's: it may have none of our languages.
 */
export function mountPage(page: ReactNode, translate: Translate): void {
  const container = document.getElementById('root');
  if (container === null) throw new Error('The page has no element #root.');

  const root = document.documentElement;
  const language = translate('text_language');
  const isPrerendered = container.hasChildNodes() && root.lang === language;
  root.lang = language;
  root.dir = translate('text_direction');
  document.title = translate('extension_name');

  const tree = <StrictMode>{page}</StrictMode>;
  if (isPrerendered) hydrateRoot(container, tree);
  else createRoot(container).render(tree);
}

/** Shows the page in a theme, and saves it for `src/static/before-paint.js` of the next options page. */
export function applyTheme(theme: Theme): void {
  document.documentElement.dataset['theme'] = theme;
  try {
    localStorage.setItem('theme', theme);
  } catch {
    // Without `localStorage` the next page shows the system's theme for a moment.
  }
}

const PreferencesContext = createContext<CallState<Preferences>>({ status: 'loading' });

/** Watches the preferences once for the whole page, and gives it the theme that they name. */
function PreferencesProvider({ children }: { readonly children: ReactNode }) {
  const preferences = useSubscription('preferences.watch');
  const theme = preferences.status === 'ready' ? preferences.value.theme : undefined;

  // Before what is drawn in the colours of the page asks for them.
  useLayoutEffect(() => {
    if (theme !== undefined) applyTheme(theme);
  }, [theme]);

  return <PreferencesContext value={preferences}>{children}</PreferencesContext>;
}

interface ErrorBoundaryProps {
  readonly fallback: ReactNode;
  readonly children: ReactNode;
}

/** Shows `fallback` in place of children that threw while rendering. React writes the error to the page's console. */
class ErrorBoundary extends Component<ErrorBoundaryProps, { readonly hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError(): { readonly hasFailed: boolean } {
    return { hasFailed: true };
  }

  override render(): ReactNode {
    return this.state.hasFailed ? this.props.fallback : this.props.children;
  }
}
