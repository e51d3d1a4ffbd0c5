import type { CallError } from '../messaging/errors.ts';
import type { Translate } from './translate.ts';

/** What happened and what to do, in sentences for a person. */
export function describeFailure(
  { code, delivery, incident, declared }: CallError,
  t: Translate,
): { readonly what: string; readonly advice: string } {
  switch (code) {
    case 'UNKNOWN_PROCEDURE':
      return { what: t('failure_mismatch'), advice: t('failure_mismatch_advice') };
    case 'FORBIDDEN':
      return { what: t('failure_forbidden'), advice: t('failure_forbidden_advice') };
    case 'NOT_JSON':
    case 'TOO_LARGE':
    case 'INVALID_INPUT':
      return { what: t('failure_refused'), advice: t('failure_refused_advice') };
    case 'DECLARED':
      return declared?.name === 'readOnly'
        ? { what: t('failure_read_only'), advice: t('failure_read_only_advice') }
        : { what: t('failure_refused'), advice: t('failure_refused_advice') };
    case 'NOT_STORED':
      return { what: t('failure_not_stored'), advice: t('failure_not_stored_advice') };
    case 'NOT_READ':
      return {
        what: t('failure_not_read'),
        advice: delivery === 'unknown' ? t('failure_retry_advice') : t('failure_not_read_advice'),
      };
    case 'INTERNAL':
      return {
        what: t('failure_internal'),
        advice:
          incident === undefined ? t('failure_retry_advice') : t('failure_internal_advice', { incident }),
      };
    case 'TIMEOUT':
      return { what: t('failure_timeout'), advice: t('failure_retry_advice') };
    case 'ABORTED':
    case 'DISCONNECTED':
      return { what: t('failure_stopped'), advice: t('failure_retry_advice') };
    case 'UNREACHABLE':
      return { what: t('background_unreachable'), advice: t('background_unreachable_advice') };
  }
}
