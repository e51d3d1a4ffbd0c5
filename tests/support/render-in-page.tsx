import { cleanup, render } from '@testing-library/react';
import { StrictMode } from 'react';
import type { ReactNode } from 'react';
import { onTestFinished } from 'vitest';

import type { contract } from '../../src/contract/contract.ts';
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
  const page = world.openPage(caller);
  onTestFinished(() => {
    cleanup();
    localStorage.clear();
  });
  render(
    <StrictMode>
      <Page extension={{ client: page.client, translate: english }}>{children}</Page>
    </StrictMode>,
  );
  return page;
}
