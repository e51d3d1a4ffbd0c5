// @vitest-environment happy-dom
import { act, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import { BackgroundStatus } from '../../src/ui/background-status.tsx';
import { useQuery } from '../../src/ui/calls.ts';
import { createExtensionWorld } from '../support/extension-world.ts';
import { press, renderInPage } from '../support/render.tsx';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('shows that the background is ready, and then idle, without announcing it', async () => {
  const world = createExtensionWorld();
  const { client } = renderInPage(world, 'popup', <BackgroundStatus />);

  await act(() => client.query('extension.info'));
  const whileAwake = line();
  world.killWorker();
  await settle();

  expect([whileAwake, line()]).toEqual(['Ready', 'Idle until needed']);
  expect(status()).toBe('');
});

it.each([
  ['', false],
  [' and is quiet otherwise', true],
])('announces that the background crashes, and that it is ready again%s', async (_how, isQuiet) => {
  const world = createExtensionWorld();
  world.crash(true);
  renderInPage(world, 'popup', <Asking isQuiet={isQuiet} />);
  const isShownBefore = status() !== undefined;
  await settle(2_000);
  const alert = screen.getByRole('alert').textContent;

  world.crash(false);
  press('Try again');
  await settle(5_000);
  const afterwards = status();
  world.killWorker();
  await settle();

  expect(alert).toContain('The extension keeps stopping before it can respond.');
  expect(afterwards).toBe('Ready');
  expect(screen.queryByRole('alert')).toBeNull();
  expect([isShownBefore, status()]).toEqual(isQuiet ? [false, undefined] : [true, '']);
});

it('announces that a retry has failed, although the failure is the same', async () => {
  const world = createExtensionWorld();
  world.crash(true);
  renderInPage(world, 'popup', <Asking isQuiet={false} />);
  await settle(2_000);
  screen.getByRole('alert');

  press('Try again');
  await settle();
  const isShownDuring = screen.queryByRole('alert') !== null;
  await settle(5_000);
  const isGone = screen.queryByRole('alert') === null;
  await settle(1_000);

  expect([isShownDuring, isGone]).toEqual([true, true]);
  screen.getByRole('alert');
});

/** The status in a page that has called the background. */
function Asking({ isQuiet }: { readonly isQuiet: boolean }) {
  useQuery('extension.info');
  return <BackgroundStatus isQuiet={isQuiet} />;
}

function line(): string | undefined {
  return screen.getByRole('status').closest('.line')?.textContent;
}

/** The text that is announced, or `undefined` while the status is hidden. */
function status(): string | undefined {
  return screen.queryByRole('status')?.textContent;
}

async function settle(duration = 0): Promise<void> {
  await act(() => vi.advanceTimersByTimeAsync(duration));
}
