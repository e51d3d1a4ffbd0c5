// @vitest-environment happy-dom
import { act, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import { BackgroundStatus } from '../../src/ui/background-status.tsx';
import { useQuery } from '../../src/ui/calls.ts';
import { createExtensionWorld } from '../support/extension-world.ts';
import { press, renderInPage } from '../support/render.tsx';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('shows that the background is ready with its response time, and then idle, without announcing it', async () => {
  const world = createExtensionWorld();
  const { client } = renderInPage(world, 'popup', <BackgroundStatus />);

  await act(() => client.query('extension.info'));
  const whileAwake = line();
  world.killWorker();
  await settle();

  expect(whileAwake).toMatch(/^Ready \(response time \d+\sms\)$/);
  expect(line()).toBe('Idle until needed');
  expect(status()).toBe('');
});

it('announces that the background crashes, and that it is ready again', async () => {
  const world = createExtensionWorld();
  world.crash(true);
  renderInPage(world, 'popup', <Asking />);
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
  expect(status()).toBe('');
});

it('shows only a failure and the recovery from it if it is quiet', async () => {
  const world = createExtensionWorld();
  world.crash(true);
  renderInPage(world, 'popup', <Asking isQuiet />);
  const before = screen.queryByRole('status');
  await settle(2_000);

  world.crash(false);
  press('Try again');
  await settle(5_000);

  expect(before).toBeNull();
  expect(status()).toBe('Ready');
});

/** The status in a page that has called the background. */
function Asking({ isQuiet = false }: { readonly isQuiet?: boolean }) {
  useQuery('extension.info');
  return <BackgroundStatus isQuiet={isQuiet} />;
}

function line(): string | undefined {
  return screen.getByRole('status').closest('.line')?.textContent;
}

function status(): string {
  return screen.getByRole('status').textContent;
}

async function settle(duration = 0): Promise<void> {
  await act(() => vi.advanceTimersByTimeAsync(duration));
}
