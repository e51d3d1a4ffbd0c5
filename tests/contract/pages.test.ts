import { existsSync } from 'node:fs';

import { expect, it } from 'vitest';

import manifest from '../../manifest.json' with { type: 'json' };
import { pages } from '../../src/contract/pages.ts';

it('names the pages as the manifest does, and they exist', () => {
  expect(pages).toEqual({ popup: manifest.action.default_popup, options: manifest.options_ui.page });
  expect(Object.values(pages).filter((path) => !existsSync(path))).toEqual([]);
});
