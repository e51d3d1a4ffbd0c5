// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { hydrateRoot } from 'react-dom/client';
import { afterEach, expect, it, vi } from 'vitest';

import { renderPage } from '../../scripts/prerender/render-page.tsx';
import { createHandlers } from '../../src/background/create-handlers.ts';
import { contract } from '../../src/contract/contract.ts';
import type { GapId } from '../../src/contract/spec-gaps.ts';
import { createMessageLog } from '../../src/background/message-log.ts';
import type { Client } from '../../src/messaging/client/client.ts';
import { PopupPage } from '../../src/popup/popup-page.tsx';
import { showSpecified } from '../../src/popup/show-specified.ts';
import messages from '../../src/static/_locales/en/messages.json' with { type: 'json' };
import { askAhead } from '../../src/ui/ask-ahead.ts';
import type { Ahead } from '../../src/ui/ask-ahead.ts';
import { english } from '../support/english.ts';
import { createExtensionWorld, worldInfo } from '../support/extension-world.ts';
import { createMemoryWorld } from '../support/memory-world.ts';

afterEach(() => {
  cleanup();
  localStorage.clear();
  document.body.replaceChildren();
  document.documentElement.removeAttribute('lang');
});

const ANSWER = '1 of 9 points specified';

function popupOf(client: Client<typeof contract>, ahead: Ahead) {
  return <PopupPage extension={{ client, ahead, translate: english }} openOptions={async () => {}} />;
}

it('an answer that came before React is written into the page, and taken over without a complaint', async () => {
  document.body.innerHTML = renderPage('popup', messages);
  document.documentElement.lang = 'en';
  const { client } = createExtensionWorld().openPage('popup');
  const ahead = askAhead(client, 'points.specified', (ids) => showSpecified(ids.length, english));
  await screen.findByText(ANSWER);
  const complain = vi.fn<(error: unknown) => void>();

  // Only what React does at once: no answer of a world can come in between.
  act(
    () =>
      void hydrateRoot(document.body, popupOf(client, ahead.handOver()), { onRecoverableError: complain }),
  );

  expect(document.body.textContent).toContain(ANSWER);
  expect(complain).not.toHaveBeenCalled();
});

it('an answer that comes later is left to React, and the worker was asked once', async () => {
  const { client, asked } = openCountedPopup(() => ['purpose']);
  const show = vi.fn<() => boolean>();

  render(popupOf(client, askAhead(client, 'points.specified', show).handOver()));

  await screen.findByText(ANSWER);
  expect(show).not.toHaveBeenCalled();
  expect(asked()).toBe(1);
});

it('an answer is not written into a page in another language', () => {
  document.body.innerHTML = renderPage('popup', messages);
  document.documentElement.lang = 'de';

  expect(showSpecified(1, english)).toBe(false);
  expect(document.body.textContent).not.toContain(ANSWER);
});

it('a question that failed is told as any other, and asked anew on a retry', async () => {
  const { client, asked } = openCountedPopup((count) => {
    if (count === 1) throw new Error('broken');
    return ['purpose'];
  });

  render(popupOf(client, askAhead(client, 'points.specified', () => true).handOver()));
  fireEvent.click(await screen.findByRole('button', { name: english('retry') }));

  await screen.findByText(ANSWER);
  expect(asked()).toBe(2);
});

it('whoever waits hears whether there is an answer to be seen', async () => {
  const isShown = async (answer: () => GapId[], show: () => boolean): Promise<boolean> =>
    askAhead(openCountedPopup(answer).client, 'points.specified', show).isShown;

  expect(
    await isShown(
      () => ['purpose'],
      () => true,
    ),
  ).toBe(true);
  expect(
    await isShown(
      () => ['purpose'],
      () => false,
    ),
  ).toBe(false);
  const broken = () => {
    throw new Error('broken');
  };
  expect(await isShown(broken, () => true)).toBe(false);
});

/** A popup whose worker counts how often it is asked for the specified points. */
function openCountedPopup(answer: (count: number) => GapId[]) {
  let count = 0;
  const world = createMemoryWorld({
    contract,
    handlers: {
      ...createHandlers({
        describeExtension: async () => worldInfo,
        specified: [],
        messageLog: createMessageLog(),
        choosePopup: () => {},
      }),
      'points.specified': () => {
        count += 1;
        return answer(count);
      },
    },
  });
  return { client: world.openPage('popup').client, asked: () => count };
}
