import { expect, it } from 'vitest';

import { mayBeOpen } from '../../../src/features/specification/spec-gaps.ts';

it.each([
  'Later',
  'Later, please',
  'No idea yet, sorry',
  'I don’t know',
  "I don't know who",
  'Not decided yet',
  'TODO: ask Anna',
  '?? Ask Anna',
  '? Ask Anna',
  'TBD: Kiosk is likely, Anna decides in May',
  'Ask Anna.',
  'Sorry, no idea',
  'We do not know yet',
  'Not sure',
  '**Undecided**',
  'To be decided',
  'has to be clarified',
  'Unknown.',
  'unclear',
  'Not yet',
  'We will decide in May',
  'Waiting for legal',
  '\nLater\n\nBest,\nAnna',
  'Still open',
  'Pending until May',
  'Needs to be discussed',
  'TBC (Anna)',
  'Dunno',
  '- Later',
  'TODO ask Anna',
])('the answer %j may be open', (typed) => {
  expect(mayBeOpen(typed)).toBe(true);
});

it.each([
  'TBA Systems GmbH publishes it, as Kiosk',
  'Open, paid, shipped',
  'Unknown senders are rejected',
  'n.a.',
  'Later versions support it',
  'Todo lists',
  'Pending orders',
  'It asks Anna later',
  'None',
  'No',
  'TBD',
  '',
  'Ask people for consent before anything is stored',
  'Not found, not allowed, and offline',
  'Not known, new, old',
])('the answer %j is not open', (typed) => {
  expect(mayBeOpen(typed)).toBe(false);
});
