import { describe, expect, it } from 'vitest';

import { CallError } from '../../src/messaging/errors.ts';
import type { ErrorCode } from '../../src/messaging/errors.ts';
import { describeFailure } from '../../src/ui/failure.tsx';
import { english } from '../support/extension-world.ts';

const codes = Object.keys({
  UNKNOWN_PROCEDURE: true,
  FORBIDDEN: true,
  NOT_JSON: true,
  TOO_LARGE: true,
  INVALID_INPUT: true,
  DECLARED: true,
  NOT_STORED: true,
  NOT_READ: true,
  INTERNAL: true,
  TIMEOUT: true,
  ABORTED: true,
  DISCONNECTED: true,
  UNREACHABLE: true,
} satisfies Record<ErrorCode, true>) as ErrorCode[];

describe('a failure', () => {
  it.each(codes)('%s is described in sentences, without details for the developer', (code) => {
    const error = new CallError('noun.verb', { code, issues: [{ path: 'a.b', message: 'raw' }] }, 'unknown');

    const { what, advice } = describeFailure(error, english);

    expect([what, advice]).toEqual([
      expect.stringMatching(/^[A-Z].*\.$/),
      expect.stringMatching(/^[A-Z].*\.$/),
    ]);
    expect(`${what} ${advice}`).not.toMatch(/noun\.verb|raw|a\.b|[A-Z]{2}/);
  });

  it('that the log knows more of names the incident', () => {
    const error = new CallError('noun.verb', { code: 'INTERNAL', incident: '5f0c' }, 'handled');

    const { advice } = describeFailure(error, english);

    expect(advice).toContain('5f0c');
  });
});
