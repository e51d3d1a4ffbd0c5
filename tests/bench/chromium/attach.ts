import type { CdpPipe } from './cdp-pipe.ts';

/** Opens a session with a target and gives its id. */
export async function attach(cdp: CdpPipe, targetId: string): Promise<string> {
  const { sessionId } = await cdp.send<{ sessionId: string }>('Target.attachToTarget', {
    targetId,
    flatten: true,
  });
  return sessionId;
}
