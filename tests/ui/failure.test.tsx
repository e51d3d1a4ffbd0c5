// @vitest-environment happy-dom
import { fireEvent, screen } from '@testing-library/react';
import { useState } from 'react';
import { expect, it } from 'vitest';

import { CallError, type ErrorCode, type ErrorReport } from '../../src/messaging/wire/errors.ts';
import { useAction } from '../../src/ui/calls.ts';
import { Alert, CallFailure } from '../../src/ui/failure.tsx';
import { createExtensionWorld } from '../support/extension-world.ts';
import { press, renderInPage } from '../support/render.tsx';

/** The button for each error code. Errors that a retry cannot change have no button. */
const actions = {
  UNKNOWN_PROCEDURE: 'Reload this page',
  FORBIDDEN: undefined,
  NOT_JSON: undefined,
  TOO_LARGE: undefined,
  INVALID_INPUT: undefined,
  DECLARED: undefined,
  TOO_MANY_CALLS: 'Try again',
  READ_ONLY: undefined,
  NOT_STORED: 'Try again',
  NOT_READ: 'Try again',
  INTERNAL: 'Try again',
  TIMEOUT: 'Try again',
  ALREADY_MADE: 'Reload this page',
  ABORTED: 'Try again',
  DISCONNECTED: 'Try again',
  UNREACHABLE: 'Reload this page',
} satisfies Record<ErrorCode, string | undefined>;

it('is no alert while none of its parts has text', () => {
  renderInPage(createExtensionWorld(), 'popup', <Alert>{[false, '', null]}</Alert>);

  expect(screen.queryByRole('alert')).toBeNull();
});

it.each(Object.entries(actions))(
  '%s is described in sentences without technical details, and its button is: %s',
  (code, action) => {
    const report = { code: code as ErrorCode, issues: [{ path: 'a.b', message: 'raw' }] };

    renderInPage(createExtensionWorld(), 'popup', <Retried report={report} />);

    const sentences = Array.from(screen.getByRole('alert').children, ({ textContent }) => textContent);
    expect(sentences).toEqual([expect.stringMatching(/^[A-Z].*\.$/), expect.stringMatching(/^[A-Z].*\.$/)]);
    expect(sentences.join(' ')).not.toMatch(/noun\.verb|raw|a\.b|[A-Z]{2}/);
    expect(screen.queryByRole('button')?.textContent).toBe(action);
  },
);

it.each(['READ_ONLY', 'TIMEOUT', 'UNKNOWN_PROCEDURE'] as const)(
  'after %s, a mutation that may have taken effect offers only to reload the page',
  (code) => {
    const error = new CallError('noun.verb', { code }, 'unknown');
    const failed = { status: 'failed', error, retry: undefined } as const;

    renderInPage(createExtensionWorld(), 'popup', <CallFailure state={failed} what="It may be saved." />);

    const [what, advice] = Array.from(screen.getByRole('alert').children, ({ textContent }) => textContent);
    expect(what).toBe('It may be saved.');
    expect(advice).toMatch(/Reload this page to see what was saved\.$/);
    expect(screen.getByRole('button').textContent).toBe('Reload this page');
  },
);

it('an error with an incident shows the incident', () => {
  renderInPage(createExtensionWorld(), 'popup', <Retried report={{ code: 'INTERNAL', incident: '5f0c' }} />);

  expect(screen.getByRole('alert').textContent).toContain('5f0c');
});

it('keeps the focus in the page when the pressed button disappears', () => {
  renderInPage(createExtensionWorld(), 'popup', <Retried report={{ code: 'TIMEOUT' }} />);
  const button = screen.getByRole('button');
  button.focus();

  fireEvent.click(button);

  expect(button.isConnected).toBe(false);
  expect(document.activeElement).not.toBe(document.body);
});

it('announces a retry that fails like the attempt before', async () => {
  renderInPage(createExtensionWorld(), 'popup', <FailingAgain />);

  press('Try again');
  await screen.findByRole('button');
  const during = screen.queryByRole('alert');

  // A screen reader announces an alert that was gone.
  expect(during).toBeNull();
  await screen.findByRole('alert');
});

/** Shows a call whose retry fails at once. */
function FailingAgain() {
  const error = new CallError('noun.verb', { code: 'TIMEOUT' }, 'handled');
  const [call, retry] = useAction(() => Promise.reject(error));
  const isFirst = call.status === 'idle';
  return (
    <CallFailure state={isFirst ? { status: 'failed', error, retry: () => void retry(undefined) } : call} />
  );
}

/** Shows a failed call, which is loading as soon as it is retried. */
function Retried({ report }: { readonly report: ErrorReport }) {
  const [isRetried, setIsRetried] = useState(false);
  const error = new CallError('noun.verb', report, 'handled');
  const failed = { status: 'failed', error, retry: () => setIsRetried(true) };
  return <CallFailure state={isRetried ? { status: 'loading' } : failed} />;
}
