import { PreferenceChange } from '../../../src/options/preference-change.tsx';
import type { PreferenceChangeState } from '../../../src/options/use-preference-change.ts';
import { useTranslate } from '../../../src/ui/use-translate.ts';
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
