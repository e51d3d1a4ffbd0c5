import { pages } from '../contract/pages.ts';
import { connectPage } from '../platform/connect-page.ts';
import { translate } from '../platform/translate.ts';
import { onWake } from '../platform/wake-signal.ts';
import { askAhead } from '../ui/ask-ahead.ts';
import { createPageClient } from '../ui/create-page-client.ts';
import { firstPaint } from '../ui/first-paint.ts';
import { nextFrame } from '../ui/next-frame.ts';
import { showSpecified } from './show-specified.ts';

// Nothing in the options page: that names this script as well, so that it holds what both pages share.
if (location.pathname !== `/${pages.options}`) void start();

/** Milliseconds that React waits for the answer, and for the first frame to be seen. */
const PATIENCE = 100;

/**
 * The popup is painted first, as the build has rendered it. While that is drawn the worker is asked, whose start would
 * delay it before, and the answer is written into what is there. Last comes React, which would take the processor from
 * both, and takes the page over as it stands: with the answer, or with a worker that it tells of when there is something
 * to tell.
 */
async function start(): Promise<void> {
  await nextFrame();
  const client = createPageClient(connectPage, onWake);
  const ahead = askAhead(client, 'points.specified', (ids) => showSpecified(ids.length, translate));
  // The first text takes the browser a moment: better while the question is on its way than when it is answered.
  setTimeout(() => translate('text_language'));

  // Where nothing could be shown there is nothing to see before React.
  const seen = ahead.isShown.then((isShown) => (isShown ? firstPaint() : undefined));
  await Promise.race([seen, new Promise((resolve) => setTimeout(resolve, PATIENCE))]);
  const { mountPopup } = await import('./main.tsx');
  mountPopup({ client, translate, ahead: ahead.handOver() });
}
