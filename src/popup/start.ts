import { pages } from '../contract/pages.ts';
import { connectPage } from '../platform/connect-page.ts';
import { onWake } from '../platform/wake-signal.ts';
import { askAhead } from '../ui/ask-ahead.ts';
import { createPageClient } from '../ui/create-page-client.ts';

/**
 * The popup's client and its first question, which is on its way before React is there. Nothing in the options page: that
 * names the popup's script as well, so that it holds what both pages share, and the popup has no second to wait for.
 */
export const started = location.pathname === `/${pages.options}` ? undefined : start();

function start() {
  const client = createPageClient(connectPage, onWake);
  return { client, ahead: askAhead(client, 'points.specified') };
}
