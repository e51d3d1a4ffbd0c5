// @vitest-environment happy-dom
import { fireEvent, screen } from '@testing-library/react';
import { useState } from 'react';
import { expect, it } from 'vitest';

import { Button, ConfirmDialog, TextField } from '../../src/ui/controls.tsx';
import { createExtensionWorld } from '../support/extension-world.ts';
import { renderInPage } from '../support/render.tsx';

it.each([
  { isBusy: false, submitted: ['five'] },
  { isBusy: true, submitted: [] },
])('submits the form around a button without an action of its own: busy $isBusy', ({ isBusy, submitted }) => {
  const seen: string[] = [];
  renderInPage(
    createExtensionWorld(),
    'popup',
    <Form isBusy={isBusy} onSubmit={(text) => seen.push(text)} />,
  );
  fireEvent.change(screen.getByRole('textbox', { name: 'How many' }), { target: { value: 'five' } });

  fireEvent.click(screen.getByRole('button', { name: 'Count' }));

  expect(seen).toEqual(submitted);
});

function Form({ isBusy, onSubmit }: { readonly isBusy: boolean; readonly onSubmit: (text: string) => void }) {
  const [text, setText] = useState('');
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit(text);
      }}
    >
      <TextField label="How many" value={text} onChange={setText} />
      <Button isBusy={isBusy}>Count</Button>
    </form>
  );
}

it.each([
  ['Remove', 'confirmed'],
  ['Cancel', 'cancelled'],
])('asks, and takes %s as %s', (button, answer) => {
  const seen: string[] = [];
  renderInPage(
    createExtensionWorld(),
    'popup',
    <ConfirmDialog
      title="Remove it?"
      action="Remove"
      onConfirm={() => seen.push('confirmed')}
      onCancel={() => seen.push('cancelled')}
    >
      <p>It is gone then.</p>
    </ConfirmDialog>,
  );

  fireEvent.click(screen.getByRole('button', { name: button }));

  expect(seen).toEqual([answer]);
});
