import { Page } from '../ui/page.tsx';
import type { Extension } from '../ui/extension.ts';
import type { OpenOptions } from './open-options.ts';
import { Popup } from './popup.tsx';

interface PopupPageProps {
  readonly extension: Extension;
  readonly openOptions: OpenOptions;
}

/** The page behind the toolbar button, whole: `main.tsx` brings it to life, the build renders its first frame. */
export function PopupPage({ extension, openOptions }: PopupPageProps) {
  return (
    <Page extension={extension}>
      <Popup openOptions={openOptions} />
    </Page>
  );
}
