// @vitest-environment happy-dom
import { fireEvent, screen } from '@testing-library/react';
import { useState } from 'react';
import { expect, it } from 'vitest';

import { CallError } from '../../src/messaging/errors.ts';
import type { ErrorCode } from '../../src/messaging/errors.ts';
import { CallFailure } from '../../src/ui/failure.tsx';
import { createExtensionWorld } from '../support/extension-world.ts';
import { renderInPage } from '../support/render.tsx';

it.each<[ErrorCode, string]>([
  ['UNREACHABLE', 'Reload this page'],
  ['UNKNOWN_PROCEDURE', 'Reload this page'],
  ['TIMEOUT', 'Try again'],
])('offers what can help after %s: "%s"', (code, action) => {
  const error = new CallError('extension.info', { code }, 'not-sent');
  const state = { status: 'failed', error, retry: () => {} } as const;

  renderInPage(createExtensionWorld(), 'popup', <CallFailure state={state} />);

  expect(screen.getByRole('button').textContent).toBe(action);
});

it.each<ErrorCode>(['FORBIDDEN', 'INVALID_INPUT', 'NOT_JSON', 'TOO_LARGE', 'DECLARED'])(
  'offers nothing after %s, which ends in the same way again',
  (code) => {
    const error = new CallError('preferences.update', { code }, 'handled');
    const state = { status: 'failed', error, retry: () => {} } as const;

    renderInPage(createExtensionWorld(), 'popup', <CallFailure state={state} />);

    expect(screen.getByRole('alert').textContent).toContain('Nothing was changed.');
    expect(screen.queryByRole('button')).toBeNull();
  },
);

it('keeps the focus in place when the pressed button disappears', () => {
  const world = createExtensionWorld();
  const error = new CallError('extension.info', { code: 'TIMEOUT' }, 'not-sent');
  renderInPage(world, 'popup', <Retried error={error} />);
  const button = screen.getByRole('button');
  button.focus();

  fireEvent.click(button);

  expect(button.isConnected).toBe(false);
  expect(document.activeElement).not.toBe(document.body);
});

/** A call that is under way again as soon as it is retried. */
function Retried({ error }: { readonly error: CallError }) {
  const [isRetried, setIsRetried] = useState(false);
  const failed = { status: 'failed', error, retry: () => setIsRetried(true) };
  return <CallFailure state={isRetried ? { status: 'loading' } : failed} />;
}
