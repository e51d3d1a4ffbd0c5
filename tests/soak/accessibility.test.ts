import { describe, expect, inject, it } from 'vitest';

import { auditedModes } from '../support/audit/audited-modes.ts';
import { auditedViews } from '../support/audit/audited-views.ts';
import { auditPopupWidths } from '../support/audit/audit-popup-widths.ts';
import { auditState } from '../support/audit/audit-state.ts';

const states = new Set(auditedViews.flatMap((view) => view.states));

describe.each([...states])('in the state %s', (state) => {
  it.each(['english', 'doubled', 'mirrored'] as const)(
    'there is no barrier in any view, its text %s',
    { timeout: 600_000 },
    async (language) => {
      const modes = auditedModes.filter((mode) => mode.language === language);

      const { looks, found } = await auditState(state, language, modes);

      console.log(
        `measured: ${inject('browserName')}: ${JSON.stringify({ state, language, looks, found: found.length })}`,
      );
      expect(looks).toBeGreaterThan(0);
      expect(found).toEqual([]);
    },
  );
});

const everyWidth = Array.from({ length: 101 }, (_, index) => 200 + 6 * index);

it.each([
  ['filled', 'english'],
  ['filled', 'doubled'],
  ['filled', 'mirrored'],
  ['failed', 'english'],
  ['failed', 'doubled'],
] as const)(
  'the popup that is %s, its text %s, can be used from 200 to 800 px',
  { timeout: 600_000 },
  async (state, language) => {
    const found = await auditPopupWidths(state, language, everyWidth);

    expect(found).toEqual([]);
  },
);
