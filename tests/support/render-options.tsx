import { onTestFinished } from 'vitest';

import type { contract } from '../../src/contract/contract.ts';
import { OptionsPage } from '../../src/options/options.tsx';
import { createExtensionWorld } from './extension-world.ts';
import type { MemoryPage } from './memory-world.ts';
import { renderPage } from './render-in-page.tsx';

/** Shows the options page at an address, until the test is over. `caller` is whom the worker takes it for. */
export function renderOptions(
  hash: string,
  world = createExtensionWorld(),
  caller: 'options' | 'popup' = 'options',
): MemoryPage<typeof contract> {
  location.hash = hash;
  onTestFinished(() => {
    location.hash = '';
  });
  return renderPage(world, caller, (extension) => <OptionsPage extension={extension} />);
}
