import { expect, it } from 'vitest';

import { joinFeatures } from '../../src/background/features.ts';
import { worldInfo } from '../support/extension-world.ts';

it('rejects two features with a handler for one procedure', () => {
  const feature = { handlers: { 'extension.info': async () => worldInfo } };

  // @ts-expect-error -- The other procedures of the contract have no handler.
  expect(() => joinFeatures(feature, feature)).toThrow('Two features have a handler for "extension.info".');
});
