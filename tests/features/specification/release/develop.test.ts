import { expect, it } from 'vitest';

import { pages } from '../../../../src/callers.ts';
import { startDevelopment } from '../../../support/development.ts';

it('`npm start` shows an edit of SPEC_GAPS.md', async () => {
  const { extension, edit, untilShown } = await startDevelopment();

  await edit('SPEC_GAPS.md', (text) => text.replace(/(\*\*1\.1\*\* \([^)]+\)) .*/u, '$1 Is this edited?'));

  await untilShown(pages.options, () => document.body.innerText.includes('Is this edited?'));
  expect(await extension.readConsole()).toEqual([]);
});
