// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import type { SyntheticEvent } from 'react';
import { renderToString } from 'react-dom/server';
import { expect, it, onTestFinished } from 'vitest';

import { useMutation, useQuery } from '../../src/ui/calls.ts';
import { Button, TextField } from '../../src/ui/controls.tsx';
import { ExtensionContext } from '../../src/ui/extension.ts';
import type { Extension } from '../../src/ui/extension.ts';
import { createExtensionWorld, english } from '../support/extension-world.ts';
import { renderInPage } from '../support/render.tsx';

it.each([
  ['options', 'done', ''],
  // No change is allowed from there.
  ['popup', 'FORBIDDEN', 'dark'],
] as const)('a form in the %s page learns how its change ended: %s', async (page, outcome, left) => {
  renderInPage(createExtensionWorld(), page, <ThemeForm />);
  const field = screen.getByRole<HTMLInputElement>('textbox', { name: 'Theme' });
  fireEvent.change(field, { target: { value: 'dark' } });

  fireEvent.click(screen.getByRole('button', { name: 'Save' }));

  await screen.findByText(outcome);
  expect(field.value).toBe(left);
});

it('a busy button submits nothing', () => {
  renderInPage(createExtensionWorld(), 'options', <ThemeForm isBusy />);

  fireEvent.click(screen.getByRole('button', { name: 'Save' }));

  expect(screen.queryByText('pending')).toBeNull();
});

/** A form of a feature: it clears its field when the change was made. */
function ThemeForm({ isBusy = false }: { readonly isBusy?: boolean }) {
  const [text, setText] = useState('');
  const [change, update] = useMutation('preferences.update');

  async function submit(event: SyntheticEvent): Promise<void> {
    event.preventDefault();
    const outcome = await update({ theme: 'dark' });
    if (outcome.status === 'done') setText('');
  }

  return (
    <form onSubmit={(event) => void submit(event)}>
      <TextField label="Theme" value={text} onChange={setText} />
      <Button isBusy={isBusy}>Save</Button>
      <p>{change.status === 'failed' ? change.error.code : change.status}</p>
    </form>
  );
}

it('takes the answer to what was asked before React was there, and does not ask again', async () => {
  const world = createExtensionWorld();
  const { client } = world.openPage('popup');
  const container = document.createElement('div');
  container.innerHTML = renderToString(show({ client, translate: english }));
  const prefetched = new Map([['questions.count', Promise.resolve({ answered: 3, total: 9 })]]);

  onTestFinished(cleanup);
  render(show({ client, translate: english, prefetched }), { container, hydrate: true });

  await expect.poll(() => container.textContent).toBe('3 answered');
  expect(world.starts()).toBe(0);
});

function show(extension: Extension) {
  return (
    <ExtensionContext value={extension}>
      <Count />
    </ExtensionContext>
  );
}

function Count() {
  const count = useQuery('questions.count');
  return <p>{count.status === 'ready' ? `${count.value.answered} answered` : 'Asking'}</p>;
}
