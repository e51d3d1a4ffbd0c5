import * as v from 'valibot';

import { Quarantined } from '../contract/storage-state.ts';
import type { Transaction } from '../messaging/server/state.ts';
import type { Json } from '../messaging/json.ts';
import { copyJson } from '../messaging/json.ts';
import { defineDocument } from './define-document.ts';
import { readDocument } from './read-document.ts';

/** What could not be read under the key of a document, as it was found. Kept until the person removes it. */
export const quarantine = defineDocument({ key: 'quarantine', schema: v.array(Quarantined), initial: [] });

/**
 * What is in quarantine, or nothing where a newer version has written it.
 * If it cannot be read, it is all there is in it.
 */
export function readQuarantine(stored: Json | undefined): readonly Quarantined[] | undefined {
  const { status, data } = readDocument(quarantine, stored);
  if (status === 'newer') return undefined;
  return status === 'invalid' ? [{ document: quarantine.key, at: 0, value: stored ?? null }] : data;
}

/** Stages what is to be in quarantine, and what no store takes as its text. */
export function writeQuarantine(state: Transaction, data: readonly Quarantined[]): void {
  state.set(quarantine.key, { version: quarantine.version, data: data.map(toStorable) });
}

/** Out of a damaged database may come half a character, or -0. */
function toStorable(found: Quarantined): Quarantined {
  try {
    // As deep as it is written.
    copyJson({ [quarantine.key]: { data: [found] } });
    return found;
  } catch {
    return { ...found, value: JSON.stringify(found.value) };
  }
}
