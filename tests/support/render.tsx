import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { type ReactNode, StrictMode } from 'react';
import { onTestFinished } from 'vitest';

import type { Api } from '../../src/background/features.ts';
import { OptionsPage } from '../../src/options/options.tsx';
import type { Views } from '../../src/options/views.tsx';
import { PopupPage } from '../../src/popup/popup.tsx';
import type { Extension } from '../../src/ui/extension.ts';
import { Page } from '../../src/ui/page.tsx';
import { createExtension } from './create-extension.ts';
import { createExtensionWorld } from './extension-world.ts';
import type { MemoryPage, MemoryWorld } from './memory-world.ts';

/** Renders children in a page of a memory world until the test is over. */
export function renderInPage(
  world: MemoryWorld<Api>,
  caller: 'popup' | 'options',
  children: ReactNode,
): MemoryPage<Api> {
  return renderPage(world, caller, (extension) => <Page extension={extension}>{children}</Page>);
}

/** Renders a whole page of a memory world until the test is over. */
function renderPage(
  world: MemoryWorld<Api>,
  caller: 'popup' | 'options',
  pageOf: (extension: Extension) => ReactNode,
): MemoryPage<Api> {
  const page = world.openPage(caller);
  onTestFinished(() => {
    cleanup();
    // Otherwise answers could arrive, and timers of calls without an answer could end, after the document is gone.
    page.client.reconnect();
    page.close();
    localStorage.clear();
  });
  render(<StrictMode>{pageOf(createExtension({ client: page.client }))}</StrictMode>);
  return page;
}

/**
 * Renders the options page at an address until the test is over.
 *
 * @param views replace the extension's views
 */
export function renderOptions(hash: string, world = createExtensionWorld(), views?: Views): MemoryPage<Api> {
  location.hash = hash;
  onTestFinished(() => {
    location.hash = '';
  });
  return renderPage(world, 'options', (extension) => (
    <OptionsPage extension={extension} {...(views && { views })} />
  ));
}

/** Changes the address within the options page, as a link does. */
export async function goTo(hash: string): Promise<void> {
  await act(async () => {
    const changed = new Promise((resolve) => addEventListener('hashchange', resolve, { once: true }));
    location.hash = hash;
    await changed;
  });
}

/** Presses the button with this name. */
export function press(name: string): void {
  fireEvent.click(screen.getByRole('button', { name }));
}

/** Renders the popup until the test is over. `opened` lists the addresses in the options page that the popup has opened. */
export function renderPopup(
  world = createExtensionWorld(),
): MemoryPage<Api> & { readonly opened: readonly string[] } {
  const opened: string[] = [];
  const openOptions = async (hash: string): Promise<void> => {
    opened.push(hash);
  };
  const page = renderPage(world, 'popup', (extension) => (
    <PopupPage extension={{ ...extension, openOptions }} />
  ));
  return { ...page, opened };
}
