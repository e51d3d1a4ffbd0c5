import { PreferenceChange } from '../../../src/options/preferences.tsx';
import type { PreferenceChangeState } from '../../../src/options/preferences.tsx';
import { useTranslate } from '../../../src/ui/extension.ts';
import { callErrorOf } from '../call-error-of.ts';
import { Specimen } from './specimen.tsx';

const changes = {
  idle: { status: 'idle' },
  saving: { status: 'saving' },
  saved: { status: 'saved' },
  failed: { status: 'failed', error: callErrorOf({ code: 'NOT_STORED' }), retry: () => {} },
} as const satisfies Record<PreferenceChangeState['status'], PreferenceChangeState>;

export function EveryPreferenceChange() {
  const t = useTranslate();
  return Object.entries(changes).map(([name, change]) => (
    <Specimen key={name} name={name}>
      <PreferenceChange
        change={change}
        failed={t('preferences_not_saved')}
        inDoubt={t('preferences_maybe_saved')}
      />
    </Specimen>
  ));
}
