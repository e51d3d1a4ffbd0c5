import * as v from 'valibot';

import { StorageFile } from '../contract/storage-file.ts';
import type { FileFault } from '../contract/storage-file.ts';
import type { Json } from '../messaging/json.ts';
import type { Document } from './define-document.ts';
import { readDocument } from './read-document.ts';

/** A document of a file, as of the version of this extension. */
interface FiledDocument {
  readonly document: Document<unknown>;
  readonly data: unknown;
}

export type FileReading =
  | { readonly status: 'right'; readonly filed: readonly FiledDocument[] }
  | { readonly status: 'wrong'; readonly faults: FileFault[] };

/** Reads a file of these documents, whatever it may be. Older ones are migrated. */
export function readStorageFile(documents: readonly Document<unknown>[], file: Json): FileReading {
  const result = v.safeParse(StorageFile, file);
  if (!result.success) return { status: 'wrong', faults: result.issues.map((issue) => faultOf(issue)) };

  const faults: FileFault[] = [];
  const filed: FiledDocument[] = [];
  for (const [key, stored] of Object.entries(result.output.documents)) {
    const path = ['documents', key];
    const document = documents.find((candidate) => candidate.key === key);
    const reading = document && readDocument(document, stored);
    if (document === undefined || reading === undefined) faults.push({ reason: 'unknown', path });
    else if (reading.status === 'newer') faults.push({ reason: 'newer', path });
    else if (reading.status === 'invalid') {
      faults.push(...(reading.issues ?? []).map((issue) => faultOf(issue, [...path, 'data'])));
    } else filed.push({ document, data: reading.data });
  }
  return faults.length > 0 ? { status: 'wrong', faults } : { status: 'right', filed };
}

function faultOf(issue: v.BaseIssue<unknown>, above: readonly string[] = []): FileFault {
  const { expected, received, path = [] } = issue;
  return {
    reason: 'shape',
    path: [...above, ...path.map(({ key }) => String(key))],
    ...(expected !== null && { expected }),
    received,
  };
}
