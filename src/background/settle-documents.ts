import type { Transaction } from '../messaging/server/state.ts';
import type { Document } from './define-document.ts';
import { openDocument } from './open-document.ts';

/** Puts these documents in order, in one write: migrates the old, sets aside what cannot be read. */
export async function settleDocuments(
  documents: readonly Document<unknown>[],
  state: Transaction,
): Promise<void> {
  for (const document of documents) await openDocument(state, document);
}
