// @vitest-environment happy-dom
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { expect, it } from 'vitest';

import { useAction, useCall, useMutation } from '../../src/ui/calls.ts';
import { Button } from '../../src/ui/controls.tsx';
import { createExtensionWorld } from '../support/extension-world.ts';
import { press, renderInPage } from '../support/render.tsx';

it.each([
  ['options', 'done', ''],
  // The popup may not change the preferences.
  ['popup', 'FORBIDDEN', 'dark'],
] as const)('a form in the %s page gets the outcome of its change: %s', async (page, outcome, left) => {
  renderInPage(createExtensionWorld(), page, <ThemeForm />);
  const field = screen.getByRole<HTMLInputElement>('textbox', { name: 'Theme' });
  fireEvent.change(field, { target: { value: 'dark' } });

  press('Save');

  await screen.findByText(outcome);
  expect(field.value).toBe(left);
});

it('a button can be pressed again after its action has thrown an error of the page', async () => {
  const errors: unknown[] = [];
  renderInPage(createExtensionWorld(), 'options', <Throwing onError={(error) => errors.push(error)} />);
  const button = screen.getByRole('button');

  fireEvent.click(button);
  const during = button.getAttribute('aria-disabled');
  await waitFor(() => expect(errors).toEqual([new RangeError('full')]));

  expect([during, button.getAttribute('aria-disabled')]).toEqual(['true', 'false']);
});

it('shows a page as failed if a call throws an error of the page', async () => {
  renderInPage(createExtensionWorld(), 'options', <ThrowingCall />);

  expect(await screen.findByText('Something went wrong.')).toBeDefined();
});

function ThrowingCall() {
  const { status } = useCall('throws', async () => {
    throw new RangeError('full');
  });
  return <p>{status}</p>;
}

function Throwing({ onError }: { readonly onError: (error: unknown) => void }) {
  const [state, run] = useAction(async () => {
    throw new RangeError('full');
  });
  return (
    <Button onPress={() => void run(undefined).catch(onError)} isBusy={state.status === 'pending'}>
      Save
    </Button>
  );
}

/** A form that clears its field when its change was made. */
function ThemeForm() {
  const [text, setText] = useState('');
  const [change, update] = useMutation('preferences.update');

  async function save(): Promise<void> {
    const outcome = await update({ theme: 'dark' });
    if (outcome.status === 'done') setText('');
  }

  return (
    <>
      <input aria-label="Theme" value={text} onChange={({ target }) => setText(target.value)} />
      <Button onPress={() => void save()}>Save</Button>
      <p>{change.status === 'failed' ? change.error.code : change.status}</p>
    </>
  );
}

it('does not show a page as failed if a call throws because it was aborted', async () => {
  // React mounts each component twice, so the first run is aborted.
  renderInPage(createExtensionWorld(), 'options', <AbortedCall />);

  await screen.findByText('ready');
  expect(screen.queryByText('Something went wrong.')).toBeNull();
});

function AbortedCall() {
  const { status } = useCall<number>('aborted', async (signal, show) => {
    await Promise.resolve();
    signal.throwIfAborted();
    show(1);
  });
  return <p>{status}</p>;
}
