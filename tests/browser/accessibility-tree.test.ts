import { expect, inject, it } from 'vitest';

import { auditedViews, enterState, launchInState } from '../support/audit.ts';

it.runIf(inject('browserName') === 'chromium')(
  'gives assistive technology the landmarks, the heading and the states of each view',
  async () => {
    const extension = await launchInState('filled', 'english');

    for (const { name, address } of auditedViews) {
      const page = await extension.open(address);
      await enterState(page, name, 'filled');
      const tree = (await page.readAccessibilityTree()) ?? '';
      await page.close();

      const isPopup = name === 'popup';
      expect.soft(tree.match(/^ *main\b/gm), name).toHaveLength(1);
      expect.soft(tree.match(/heading "[^"]+"[^\n]* level=1/g), name).toHaveLength(1);
      expect.soft(tree.match(/navigation "[^"]+"/g)?.length, name).toBeGreaterThan(isPopup ? 0 : 1);
      // The view of all points lists them once more.
      const links = tree.match(/listitem[^\n]*\n *link "\d [^"]+ \d+ of \d+ answered"/g) ?? [];
      expect.soft(new Set(links.map((link) => link.slice(link.indexOf('"')))).size, name).toBe(9);
      expect.soft(tree, name).toMatch(/status[^\n]*\n *StaticText "Background awake"/);
      expect.soft(tree, name).toMatch(/alert[^\n]*\n[^]*could not be read/);
    }
  },
);

it.runIf(inject('browserName') === 'chromium')(
  'gives assistive technology the messages as a table',
  async () => {
    const extension = await launchInState('filled', 'english');
    const page = await extension.open('src/options/index.html#/messages');
    await enterState(page, 'messages', 'filled');

    const tree = (await page.readAccessibilityTree()) ?? '';

    const columns = [...tree.matchAll(/columnheader "([^"]+)"/g)].map(([, column]) => column);
    expect(columns).toEqual(['Started', 'Name', 'Kind', 'Caller', 'Outcome', 'Duration']);
    expect(tree).toContain('table "Messages"');
    expect(tree).toContain('rowgroup "Recorded messages"');
  },
);
