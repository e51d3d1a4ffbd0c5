import type { Api } from '../background/features.ts';
import { createHooks } from '../messaging/react/hooks.ts';
import { useExtension } from './extension.ts';

export { type ActionState, type CallState, retryFailedCalls, useAction } from '../messaging/react/hooks.ts';

/** The hooks that call the background of this extension. */
export const { useQuery, useSubscription, useMutation, useCall } = createHooks<Api>(
  () => useExtension().client,
);
