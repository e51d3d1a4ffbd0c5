import { pages } from '../contract/pages.ts';
import { connectPage } from '../platform/connect-page.ts';
import { translate } from '../platform/translate.ts';
import { onWake } from '../platform/wake-signal.ts';
import { askAhead } from '../ui/ask-ahead.ts';
import { createPageClient } from '../ui/create-page-client.ts';
import { nextFrame } from '../ui/next-frame.ts';
import { showSpecified } from './show-specified.ts';

// Nothing in the options page: that names this script as well, so that it holds what both pages share.
if (location.pathname !== `/${pages.options}`) void start();

/**
 * The popup is painted first, as the build has rendered it. Then the worker is asked, for its start would delay the
 * paint, and the answer is written into what is there. Last comes React, which takes the page over as it stands.
 */
async function start(): Promise<void> {
  await nextFrame();
  const client = createPageClient(connectPage, onWake);
  const ahead = askAhead(client, 'points.specified', (ids) => showSpecified(ids.length, translate));

  await nextFrame();
  const { mountPopup } = await import('./main.tsx');
  mountPopup({ client, translate, ahead: ahead.handOver() });
}
