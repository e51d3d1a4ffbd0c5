import type { GapId } from '../contract/spec-gaps.ts';

/** The address of a point within the options page: a hash, so that each point can be linked to. */
export function pointAddress(id: GapId): string {
  return `#/specification/${id}`;
}
