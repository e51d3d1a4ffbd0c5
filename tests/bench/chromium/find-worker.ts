import type { CdpPipe } from './cdp-pipe.ts';

/** The worker's target, or an empty text when it does not run. */
export async function findWorker(cdp: CdpPipe, extensionId: string): Promise<string> {
  const { targetInfos } = await cdp.send<{
    targetInfos: { readonly targetId: string; readonly type: string; readonly url: string }[];
  }>('Target.getTargets');
  const worker = targetInfos.find(
    ({ type, url }) => type === 'service_worker' && url.startsWith(`chrome-extension://${extensionId}/`),
  );
  return worker?.targetId ?? '';
}
