import { describeSpecified } from '../ui/describe-specified.ts';
import { markFirstData } from '../ui/mark-first-data.ts';
import type { Translate } from '../ui/translate.ts';

/** Writes how many points are specified into the popup as the build has rendered it: false in another language's. */
export function showSpecified(count: number, translate: Translate): boolean {
  // The first of those that tell something, see `Popup`.
  const place = document.querySelector('[role="status"]');
  if (place === null || document.documentElement.lang !== translate('text_language')) return false;

  place.textContent = describeSpecified(count, translate);
  markFirstData(place);
  return true;
}
