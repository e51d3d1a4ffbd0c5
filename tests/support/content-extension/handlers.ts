import type { Handlers } from '../../../src/messaging/server/server.ts';
import { counterHandlers } from '../counter.ts';
import type { contentContract } from './contract.ts';

export const contentHandlers: Handlers<typeof contentContract> = {
  ...counterHandlers,
  'text.echo': ({ input, caller }) => `${input} from ${caller}`,
};
