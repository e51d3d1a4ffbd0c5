import { pages } from '../contract/pages.ts';
import { connectPage } from '../platform/connect-page.ts';
import { openOptions } from '../platform/open-options.ts';
import { translate } from '../platform/translate.ts';
import { onWake } from '../platform/wake-signal.ts';
import { createPageClient } from '../ui/create-page-client.ts';
import { mountPage } from '../ui/mount-page.tsx';
import { PopupPage } from './popup-page.tsx';

// The options page names this script as well: so it holds what both pages share, and the popup has no second to wait for.
if (location.pathname === `/${pages.popup}`) {
  const client = createPageClient(connectPage, onWake);
  mountPage(<PopupPage extension={{ client, translate }} openOptions={openOptions} />, translate);
}
