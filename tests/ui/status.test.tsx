// @vitest-environment happy-dom
import { expect, it } from 'vitest';

import { createExtensionWorld } from '../support/extension-world.ts';
import { announcementsOfPresses, eachPress } from '../support/status-texts.ts';

it.each([
  ['#/about', 'Copy for a bug report', 'Copied.', true],
  ['#/about', 'Copy for a bug report', 'The browser did not allow copying.', false],
  ['#/preferences', 'Save a copy', 'Saved as ', true],
] as const)('at %s, each press of "%s" announces "%s"', async (...button) => {
  const world = createExtensionWorld();
  world.disk.write('quarantine/1000.a.preferences', { text: '"one"' });

  expect(await announcementsOfPresses(button, world)).toEqual(eachPress(button[2]));
});
