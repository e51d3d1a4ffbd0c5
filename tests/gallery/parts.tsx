import type { ReactNode } from 'react';

import { points } from '../../SPEC_GAPS.md?points';
import type { ErrorCode, ErrorReport } from '../../src/messaging/errors.ts';
import numbers from '../../src/options/options.module.css';
import { PreferenceChange } from '../../src/options/preferences.tsx';
import type { PreferenceChangeState } from '../../src/options/preferences.tsx';
import { useTranslate } from '../../src/ui/extension.ts';
import { CallFailure } from '../../src/ui/failure.tsx';
import { PointGrid } from '../../src/ui/points.tsx';
import { callErrorOf } from './fixed-worker.ts';

/** From none answered to all, so that each share can be compared with the others. */
const mixed = points.map(({ id, number, title }, index) => ({
  id,
  number,
  title,
  answered: index,
  total: points.length - 1,
}));

const titles = { grid: 'tiles', cell: 'tile', title: 'title' };

export function EveryCell() {
  const t = useTranslate();
  return Object.entries({ titles, numbers }).map(([label, look]) => (
    <nav key={label} aria-label={`${t('points')}, ${label}`} className={`specimen-${label}`}>
      <h2 className="specimen">{t('points')}</h2>
      <PointGrid points={mixed} current="entities" look={look} linkTo={(id) => ({ href: `#${id}` })} />
    </nav>
  ));
}

/** Every way a call can end badly: one without a report to look at does not compile. */
const reports = {
  UNKNOWN_PROCEDURE: {},
  FORBIDDEN: {},
  NOT_JSON: {},
  TOO_LARGE: {},
  INVALID_INPUT: {},
  DECLARED: { declared: { name: 'readOnly', data: {} } },
  NOT_STORED: {},
  NOT_READ: {},
  INTERNAL: { incident: '3f0c' },
  TIMEOUT: {},
  ABORTED: {},
  DISCONNECTED: {},
  UNREACHABLE: {},
} as const satisfies Record<ErrorCode, Omit<ErrorReport, 'code'>>;

export function EveryFailure() {
  return Object.entries(reports).map(([code, report]) => (
    <Specimen key={code} name={code}>
      <CallFailure
        state={{
          status: 'failed',
          error: callErrorOf({ ...report, code: code as ErrorCode }),
          retry: () => {},
        }}
      />
    </Specimen>
  ));
}

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

/** A part in one of its states, under the state's name. */
function Specimen({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <section>
      <h2 className="specimen">{name}</h2>
      {children}
    </section>
  );
}
