// @vitest-environment happy-dom
import { act, fireEvent, renderHook, screen } from '@testing-library/react';
import { expect, it } from 'vitest';

import { useAction } from '../../src/ui/calls.ts';
import { Checkbox } from '../../src/ui/controls.tsx';
import { Setting, useSetting } from '../../src/ui/setting.tsx';
import { createExtensionWorld } from '../support/extension-world.ts';
import { createDeferred } from '../support/promises.ts';
import { renderInPage } from '../support/render.tsx';

interface Settings {
  readonly theme: 'system' | 'light' | 'dark';
}

it('shows the stored value again when another page changes it back', () => {
  const mutation = { status: 'done', input: false, output: undefined } as const;
  const useSound = (stored: boolean) => useSetting<boolean, boolean>(stored, mutation);
  const { result, rerender } = renderHook(useSound, { initialProps: true });
  const shown = [result.current.shown];
  for (const stored of [false, true]) {
    rerender(stored);
    shown.push(result.current.shown);
  }

  expect(shown).toEqual([false, false, true]);
  expect(result.current.change.status).toBe('idle');
});

it('shows a choice of a checkbox at once, and whether it was saved', async () => {
  const saved = createDeferred<boolean>();
  function Sound() {
    const change = useAction<boolean, unknown>(() => saved.promise);
    return (
      <Setting state={{ status: 'ready', value: true }} change={change}>
        {(isOn, set) => <Checkbox label="Sound" isChecked={isOn} onChange={set} />}
      </Setting>
    );
  }
  renderInPage(createExtensionWorld(), 'options', <Sound />);
  const box = screen.getByRole<HTMLInputElement>('checkbox', { name: 'Sound' });
  const states = [box.checked];

  fireEvent.click(box);
  states.push(box.checked, screen.queryByText('Saving…') !== null);
  await act(async () => saved.resolve(true));

  expect(states).toEqual([true, false, true]);
  expect(await screen.findByText('Saved.')).toBeDefined();
  expect(box.checked).toBe(false);
});

it('shows a change of another page that arrives together with the answer to its own change', async () => {
  const initial: Settings = { theme: 'system' };
  const answer = createDeferred<Settings>();
  const useTheme = (stored: Settings) => {
    const [mutation, update] = useAction((_theme: Settings) => answer.promise);
    return { ...useSetting(stored, mutation), update };
  };
  const { result, rerender } = renderHook(useTheme, { initialProps: initial });

  act(() => void result.current.update({ theme: 'dark' }));
  await act(async () => {
    answer.resolve({ theme: 'dark' });
    await Promise.resolve();
    rerender({ theme: 'light' });
  });

  expect(result.current.change.status).toBe('idle');
  expect(result.current.shown.theme).toBe('light');
});

// https://github.com/wasp-lang/wasp/issues/670
it('shows a choice while a later one of another member is made', async () => {
  const answers = { first: createDeferred(), second: createDeferred() };
  const useSettings = (stored: { readonly sound: boolean; readonly images: boolean }) => {
    const [mutation, update] = useAction((input: { readonly sound?: boolean; readonly images?: boolean }) =>
      'sound' in input ? answers.first.promise : answers.second.promise,
    );
    return { ...useSetting(stored, mutation), update };
  };
  const { result, rerender } = renderHook(useSettings, { initialProps: { sound: false, images: false } });
  const states = [];

  act(() => void result.current.update({ sound: true }));
  act(() => void result.current.update({ images: true }));
  states.push(result.current);
  await act(async () => answers.first.resolve());
  rerender({ sound: true, images: false });
  states.push(result.current);
  await act(async () => answers.second.resolve());
  rerender({ sound: true, images: true });
  states.push(result.current);
  act(() => void result.current.update({ images: false }));
  // Another page has changed the first member back.
  rerender({ sound: false, images: true });
  states.push(result.current);

  expect(states.map(({ shown, change }) => [shown, change.status])).toEqual([
    [{ sound: true, images: true }, 'saving'],
    [{ sound: true, images: true }, 'saving'],
    [{ sound: true, images: true }, 'saved'],
    [{ sound: false, images: false }, 'saving'],
  ]);
});
