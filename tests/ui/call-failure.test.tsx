// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';

import { CallError } from '../../src/messaging/call-error.ts';
import type { ErrorCode } from '../../src/messaging/call-error.ts';
import { CallFailure } from '../../src/ui/call-failure.tsx';
import { createExtensionWorld } from '../support/extension-world.ts';
import { renderInPage } from '../support/render-in-page.tsx';

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
