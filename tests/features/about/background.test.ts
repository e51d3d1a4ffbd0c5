import { expect, it, vi } from 'vitest';
import { storage } from 'webextension-polyfill';

import { createExtensionWorld } from '../../support/extension-world.ts';

it('says what is installed although other code has filled `storage.session`', async () => {
  vi.spyOn(storage.session, 'set').mockRejectedValue(new Error('Session storage quota bytes exceeded.'));

  const info = await createExtensionWorld().openPage('options').client.query('extension.info');

  expect(info.starts.count).toBe(1);
});
