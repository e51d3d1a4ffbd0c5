// @vitest-environment happy-dom
import { act, fireEvent, renderHook, screen } from '@testing-library/react';
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

it('the function that starts an action is the same in every render, and starts the latest action', async () => {
  const { result, rerender } = renderHook(({ action }) => useAction(action), {
    initialProps: { action: () => Promise.resolve('first') },
  });
  const [, start] = result.current;

  rerender({ action: () => Promise.resolve('second') });
  const outcome = await act(() => start(undefined));

  expect(outcome).toEqual({ status: 'done', output: 'second' });
  expect(result.current[1]).toBe(start);
});

it('an action that throws an error of the page rejects with it, and is idle again', async () => {
  const { result } = renderHook(() => useAction(() => Promise.reject(new RangeError('full'))));
  const statusOf = () => result.current[0].status;

  let running: Promise<unknown> | undefined;
  act(() => void (running = result.current[1](undefined)));
  const during = statusOf();
  await act(() => expect(running).rejects.toThrow(new RangeError('full')));

  expect([during, statusOf()]).toEqual(['pending', 'idle']);
});

type Run = (signal: AbortSignal, show: (value: string) => void) => Promise<void>;

it.each<[claim: string, run: Run, text: string]>([
  [
    'shows a page as failed if a call throws an error of the page',
    () => Promise.reject(new RangeError('full')),
    'Something went wrong.',
  ],
  [
    'does not show a page as failed if a call throws because it was aborted',
    // React mounts each component twice, so the first run is aborted.
    async (signal, show) => {
      await Promise.resolve();
      signal.throwIfAborted();
      show('answer');
    },
    'ready',
  ],
])('%s', async (_claim, run, text) => {
  renderInPage(createExtensionWorld(), 'options', <Calling run={run} />);

  expect(await screen.findByText(text)).toBeDefined();
});

// https://github.com/PlasmoHQ/storage/issues/46
it('a call whose key changes is loading until its own value arrives, and never shows the value of the earlier key', async () => {
  const shown: string[] = [];
  function Following({ name }: { readonly name: string }) {
    const state = useCall<string>(name, async (_signal, show) => {
      await Promise.resolve();
      show(name);
    });
    const text = `${name}: ${state.status === 'ready' ? state.value : state.status}`;
    if (shown.at(-1) !== text) shown.push(text);
    return <p>{text}</p>;
  }
  function Switching() {
    const [name, setName] = useState('a');
    return (
      <>
        <Following name={name} />
        <Button onPress={() => setName('b')}>Switch</Button>
      </>
    );
  }
  renderInPage(createExtensionWorld(), 'options', <Switching />);
  await screen.findByText('a: a');

  press('Switch');
  await screen.findByText('b: b');

  expect(shown).toEqual(['a: loading', 'a: a', 'b: loading', 'b: b']);
});

function Calling({ run }: { readonly run: Run }) {
  const { status } = useCall('calling', run);
  return <p>{status}</p>;
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
