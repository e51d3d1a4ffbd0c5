import { pollUntil } from '../../../scripts/browsers/running-extension.ts';
import type { CdpPipe } from './cdp-pipe.ts';
import { findWorker } from './find-worker.ts';

/** Ends an extension's worker, as the browser does with an idle one, and waits until it is gone. */
export async function stopWorker(cdp: CdpPipe, extensionId: string): Promise<void> {
  const targetId = await findWorker(cdp, extensionId);
  if (targetId === '') return;
  const isGone = async (): Promise<boolean> => {
    await cdp.send('Target.closeTarget', { targetId }).catch(() => undefined);
    return (await findWorker(cdp, extensionId)) !== targetId;
  };
  await pollUntil(isGone, 'the service worker to stop');
}
