import { cleanup, render } from '@testing-library/react';
import { StrictMode } from 'react';
import type { ReactNode } from 'react';
import { onTestFinished } from 'vitest';

import type { contract } from '../../src/contract/contract.ts';
import type { Extension } from '../../src/ui/extension.ts';
import { Page } from '../../src/ui/page.tsx';
import { english } from './english.ts';
import type { MemoryPage, MemoryWorld } from './memory-world.ts';

type Contract = typeof contract;

/** Shows something within a page of a memory world, until the test is over. */
export function renderInPage(
  world: MemoryWorld<Contract>,
  caller: 'popup' | 'options',
  children: ReactNode,
): MemoryPage<Contract> {
  return renderPage(world, caller, (extension) => <Page extension={extension}>{children}</Page>);
}

/** Shows a whole page of a memory world, until the test is over. */
export function renderPage(
  world: MemoryWorld<Contract>,
  caller: 'popup' | 'options',
  pageOf: (extension: Extension) => ReactNode,
): MemoryPage<Contract> {
  const page = world.openPage(caller);
  onTestFinished(() => {
    cleanup();
    localStorage.clear();
  });
  render(<StrictMode>{pageOf({ client: page.client, translate: english })}</StrictMode>);
  return page;
}
