// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react';
import { renderToString } from 'react-dom/server';
import { expect, it, onTestFinished } from 'vitest';

import { useMutation, useQuery } from '../../src/ui/calls.ts';
import type { Outcome } from '../../src/ui/calls.ts';
import type { Extension } from '../../src/ui/extension.ts';
import { ExtensionContext } from '../../src/ui/extension.ts';
import { createExtensionWorld, english } from '../support/extension-world.ts';
import { renderInPage } from '../support/render.tsx';

it('resolves a change to its outcome, for what has to follow', async () => {
  const world = createExtensionWorld();
  const outcomes: Outcome<unknown>[] = [];
  renderInPage(world, 'options', <Changer onOutcome={(outcome) => outcomes.push(outcome)} />);

  screen.getByRole('button').click();

  await expect.poll(() => outcomes).toMatchObject([{ status: 'done', output: { theme: 'dark' } }]);
});

it('resolves a change to its failure', async () => {
  const world = createExtensionWorld();
  const outcomes: Outcome<unknown>[] = [];
  // No change is allowed from there.
  renderInPage(world, 'popup', <Changer onOutcome={(outcome) => outcomes.push(outcome)} />);

  screen.getByRole('button').click();

  await expect.poll(() => outcomes).toMatchObject([{ status: 'failed', error: { code: 'FORBIDDEN' } }]);
});

function Changer({ onOutcome }: { readonly onOutcome: (outcome: Outcome<unknown>) => void }) {
  const [, update] = useMutation('preferences.update');
  return (
    <button type="button" onClick={() => void update({ theme: 'dark' }).then(onOutcome)}>
      Change
    </button>
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
