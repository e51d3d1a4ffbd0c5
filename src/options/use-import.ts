import { useState } from 'react';

import { contract } from '../contract/contract.ts';
import type { StorageChange } from '../contract/storage-file.ts';
import type { CallError } from '../messaging/call-error.ts';
import { isDeclaredError } from '../messaging/is-declared-error.ts';
import type { Json } from '../messaging/json.ts';
import { toCallError } from '../ui/to-call-error.ts';
import { useExtension } from '../ui/use-extension.ts';
import { parseFile } from './parse-file.ts';
import type { WrongFile } from './parse-file.ts';

/**
 * ```
 * idle ─ choose ─▶ reading ─┬▶ wrong
 *                           ├▶ same                       (nothing would change)
 *                           ├▶ asking ─ confirm ─▶ importing ─┬▶ imported
 *                           │    └─ cancel ─▶ idle            │
 *                           └▶ failed ◀───────────────────────┘
 * ```
 */
export type ImportState =
  | { readonly status: 'idle' | 'reading' | 'same' | 'importing' | 'imported' }
  | { readonly status: 'wrong'; readonly faults: readonly WrongFile[] }
  | { readonly status: 'asking'; readonly changes: readonly StorageChange[]; readonly confirm: () => void }
  | { readonly status: 'failed'; readonly error: CallError; readonly retry: () => void };

interface Import {
  readonly state: ImportState;
  readonly choose: (file: File) => void;
  readonly cancel: () => void;
}

/** An import, from the chosen file to the answer of the worker. Nothing is changed before the person has agreed. */
export function useImport(): Import {
  const { client } = useExtension();
  const [state, setState] = useState<ImportState>({ status: 'idle' });

  async function read(file: File): Promise<void> {
    setState({ status: 'reading' });
    const parsed = await parseFile(file);
    if (parsed.status === 'wrong') return setState(parsed);

    try {
      const changes = await client.query('storage.preview', parsed.value);
      const confirm = (): void => void send(parsed.value);
      setState(changes.length === 0 ? { status: 'same' } : { status: 'asking', changes, confirm });
    } catch (error) {
      setState(
        isDeclaredError(contract['storage.preview'], 'wrongFile', error)
          ? { status: 'wrong', faults: error.declared.data }
          : { status: 'failed', error: toCallError(error), retry: () => void read(file) },
      );
    }
  }

  async function send(value: Json): Promise<void> {
    setState({ status: 'importing' });
    try {
      await client.mutate('storage.import', value);
      setState({ status: 'imported' });
    } catch (error) {
      setState({ status: 'failed', error: toCallError(error), retry: () => void send(value) });
    }
  }

  return { state, choose: (file) => void read(file), cancel: () => setState({ status: 'idle' }) };
}
