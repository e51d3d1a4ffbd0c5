import { useSubscription } from '../ui/use-subscription.ts';
import { ExportControl } from './export-control.tsx';
import { ImportControl } from './import-control.tsx';
import { QuarantineControl } from './quarantine-control.tsx';
import { ResetControl } from './reset-control.tsx';
import type { Reset } from './use-reset.ts';

/** What a person can do with all that is stored. */
export function StoredData({ reset }: { readonly reset: Reset }) {
  const storage = useSubscription('storage.watch');
  return (
    <>
      <QuarantineControl quarantined={storage.status === 'ready' ? storage.value.quarantined : []} />
      <ExportControl />
      <ImportControl />
      <ResetControl reset={reset} />
    </>
  );
}
