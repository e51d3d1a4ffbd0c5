import { renderToString } from 'react-dom/server';

import type { Page } from '../../src/callers.ts';
import type { Api } from '../../src/background/features.ts';
import { createClient } from '../../src/messaging/client/client.ts';
import { OptionsPage } from '../../src/options/options.tsx';
import { PopupPage } from '../../src/popup/popup.tsx';
import { type Messages, translateWith } from './translate-with.ts';

/** Renders the first frame of a page, before any call. Effects do not run here, so the background is not called. */
export function renderPage(page: Page, messages: Messages): string {
  const extension = { client: createClient<Api>(unused), translate: translateWith(messages) };
  const pages = {
    popup: <PopupPage extension={{ ...extension, openOptions: unused }} />,
    options: <OptionsPage extension={extension} />,
  } satisfies Record<Page, object>;
  return renderToString(pages[page]);
}

function unused(): never {
  throw new Error('There is no browser at build time.');
}
