import type { ErrorCode, ErrorReport } from '../../../src/messaging/errors.ts';
import { CallFailure } from '../../../src/ui/failure.tsx';
import { callErrorOf } from '../call-error-of.ts';
import { Specimen } from './specimen.tsx';

/** Every way a call can end badly: one without a report to look at does not compile. */
const reports = {
  UNKNOWN_PROCEDURE: {},
  FORBIDDEN: {},
  NOT_JSON: {},
  TOO_LARGE: {},
  INVALID_INPUT: {},
  DECLARED: { declared: { name: 'readOnly', data: {} } },
  NOT_STORED: {},
  NOT_READ: {},
  INTERNAL: { incident: '3f0c' },
  TIMEOUT: {},
  ABORTED: {},
  DISCONNECTED: {},
  UNREACHABLE: {},
} as const satisfies Record<ErrorCode, Omit<ErrorReport, 'code'>>;

export function EveryFailure() {
  return Object.entries(reports).map(([code, report]) => (
    <Specimen key={code} name={code}>
      <CallFailure
        state={{
          status: 'failed',
          error: callErrorOf({ ...report, code: code as ErrorCode }),
          retry: () => {},
        }}
      />
    </Specimen>
  ));
}
