import { PopupPage } from '../../src/popup/popup.tsx';
import { createExtensionWorld } from './extension-world.ts';
import type { MemoryPage } from './memory-world.ts';
import { renderPage } from './render-in-page.tsx';
import type { contract } from '../../src/contract/contract.ts';

interface RenderedPopup extends MemoryPage<typeof contract> {
  /** Addresses within the options page that were to be shown. */
  readonly opened: readonly string[];
}

/** Shows the popup, until the test is over. */
export function renderPopup(world = createExtensionWorld()): RenderedPopup {
  const opened: string[] = [];
  const openOptions = async (hash: string): Promise<void> => {
    opened.push(hash);
  };
  const page = renderPage(world, 'popup', (extension) => (
    <PopupPage extension={extension} openOptions={openOptions} />
  ));
  return { ...page, opened };
}
