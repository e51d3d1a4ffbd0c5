import { Component, type ReactNode } from 'react';

import { type Extension, ExtensionContext } from './extension.ts';
import { Crash } from './failure.tsx';

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
