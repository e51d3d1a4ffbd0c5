import type { ReactNode } from 'react';

import { Crash } from './crash.tsx';
import { ErrorBoundary } from './error-boundary.tsx';
import { ExtensionContext } from './extension-context.ts';
import type { Extension } from './extension.ts';
import { PreferencesProvider } from './preferences-provider.tsx';

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
