import type { ReactNode } from 'react';
import { renderToString } from 'react-dom/server';

import type { contract } from '../../src/contract/contract.ts';
import type { Page } from '../../src/contract/pages.ts';
import { createClient } from '../../src/messaging/client/client.ts';
import { OptionsPage } from '../../src/options/options.tsx';
import { PopupPage } from '../../src/popup/popup.tsx';
import type { Extension } from '../../src/ui/extension.ts';
import type { Messages } from './translate-with.ts';
import { translateWith } from './translate-with.ts';

/** The first frame of a page, before the background was asked anything. Effects do not run here, so nothing is asked. */
export function renderPage(page: Page, messages: Messages): string {
  const client = createClient<typeof contract>(unused);
  return renderToString(pageOf(page, { client, translate: translateWith(messages) }));
}

function pageOf(page: Page, extension: Extension): ReactNode {
  switch (page) {
    case 'popup':
      return <PopupPage extension={extension} openOptions={unused} />;
    case 'options':
      return <OptionsPage extension={extension} />;
  }
}

function unused(): never {
  throw new Error('There is no browser at build time.');
}
