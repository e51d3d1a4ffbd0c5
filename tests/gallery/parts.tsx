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
const mixed = points.map((point, index) => ({ ...point, answered: index, total: points.length - 1 }));

const titles = { grid: 'tiles', cell: 'tile', title: 'title' };

/** The points as the popup and as the options page show them. */
export function EveryCell() {
  const t = useTranslate();
  const all = Object.entries({ titles, numbers }).map(([label, look]): [string, ReactNode] => [
    label,
    <nav key={label} aria-label={`${t('points')}, ${label}`} className={`specimen-${label}`}>
      <PointGrid points={mixed} current="entities" look={look} linkTo={(id) => ({ href: `#${id}` })} />
    </nav>,
  ]);
  return <Specimens title={t('points')} all={all} />;
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
  const all = Object.entries(reports).map(([code, report]): [string, ReactNode] => {
    const error = callErrorOf({ ...report, code: code as ErrorCode });
    return [code, <CallFailure key={code} state={{ status: 'failed', error, retry: () => {} }} />];
  });
  return <Specimens title="Failures" all={all} />;
}

const changes = {
  idle: { status: 'idle' },
  saving: { status: 'saving' },
  saved: { status: 'saved' },
  failed: { status: 'failed', error: callErrorOf({ code: 'NOT_STORED' }), retry: () => {} },
} as const satisfies Record<PreferenceChangeState['status'], PreferenceChangeState>;

export function EveryPreferenceChange() {
  const t = useTranslate();
  const texts = { failed: t('preferences_not_saved'), inDoubt: t('preferences_maybe_saved') };
  const all = Object.entries(changes).map(([name, change]): [string, ReactNode] => [
    name,
    <PreferenceChange key={name} change={change} {...texts} />,
  ]);
  return <Specimens title="Changes" all={all} />;
}

interface SpecimensProps {
  readonly title: string;
  /** Each with the name of what it shows. */
  readonly all: readonly (readonly [name: string, shown: ReactNode])[];
}

function Specimens({ title, all }: SpecimensProps) {
  return (
    <main className="specimens">
      <h1 className="visually-hidden">{title}</h1>
      {all.map(([name, shown]) => (
        <section key={name}>
          <h2>{name}</h2>
          {shown}
        </section>
      ))}
    </main>
  );
}
