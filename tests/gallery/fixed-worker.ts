import type { contract } from '../../src/contract/contract.ts';
import type { CallError } from '../../src/messaging/errors.ts';
import type { ConnectionState } from '../../src/messaging/client/connection.ts';
import type { OutputOf } from '../../src/messaging/contract.ts';

type Contract = typeof contract;

/** All that a page can learn of its worker, which stays as it is. */
export interface FixedWorker {
  readonly connection: ConnectionState;
  /** What each procedure ends in or, being a stream, begins with. One that is left out never answers. */
  readonly answers: { readonly [Name in keyof Contract]?: OutputOf<Contract[Name]> | CallError };
}

/** One that is awake, has nothing unusual to say and records no messages. */
export const calmWorker = {
  connection: { status: 'awake', roundTrip: 12 },
  answers: {
    'extension.info': {
      name: 'Nine Points',
      version: '0.1.0',
      browser: 'Chromium 156.0',
      permissions: ['storage'],
    },
    'points.specified': [],
    'preferences.watch': { theme: 'system', recordMessages: false },
    'storage.watch': { isEmpty: false, readOnly: [], unreadable: [] },
    'messages.watch': { records: [], dropped: 0 },
  },
} as const satisfies FixedWorker;
