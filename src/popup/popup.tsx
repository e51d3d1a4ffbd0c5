import { PreferencesProvider } from '../features/preferences/theme.tsx';
import { QuestionsPart } from '../features/specification/popup.tsx';
import { StorageNotice } from '../features/stored-data/notice.tsx';
import { BackgroundStatus } from '../ui/background-status.tsx';
import { type Extension, useOptionsLink, useTranslate } from '../ui/extension.ts';
import { Page } from '../ui/page.tsx';

/** The page that the toolbar button opens. */
export function PopupPage({ extension }: { readonly extension: Extension }) {
  return (
    <Page extension={extension}>
      <PreferencesProvider>
        <Popup />
      </PreferencesProvider>
    </Page>
  );
}

/**
 * Shows the parts of the popup, from top to bottom. A popup that is higher than 600 px scrolls. A new part is directly above the
 * footer, because Firefox does not scroll to a focused link that is cut off at 600 px.
 */
function Popup() {
  const t = useTranslate();
  const linkTo = useOptionsLink();
  return (
    <main className="popup">
      <header className="wrap muted header">
        <p className="name">{t('extension_name')}</p>
        <a className="target" {...linkTo('')}>
          {t('popup_options')}
        </a>
      </header>
      <StorageNotice link={linkTo('#/preferences')} />
      <QuestionsPart />
      <footer className="footer">
        <BackgroundStatus isQuiet />
      </footer>
    </main>
  );
}
