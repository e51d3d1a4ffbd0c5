import { useState } from 'react';

import { useSubscription } from '../ui/use-subscription.ts';
import { useTranslate } from '../ui/use-translate.ts';
import { QuarantineControl } from './quarantine-control.tsx';
import { Section } from './section.tsx';

/** What was stored and could not be read. Shown from when there is something until this view is left. */
export function StoredData() {
  const t = useTranslate();
  const storage = useSubscription('storage.watch');
  const quarantined = storage.status === 'ready' ? storage.value.quarantined : [];
  const [hasShown, setHasShown] = useState(false);
  if (quarantined.length > 0 && !hasShown) setHasShown(true);
  if (!hasShown) return null;
  return (
    <Section title={t('storage')}>
      <QuarantineControl quarantined={quarantined} />
    </Section>
  );
}
