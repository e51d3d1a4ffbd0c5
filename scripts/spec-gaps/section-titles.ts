import type { GapId } from '../../src/contract/spec-gaps.ts';

/** The titles of the specification, word for word. They change only when the specification does. */
export const sectionTitles = {
  purpose: 'What the product does and for whom',
  screens: 'Screens and routes',
  entities: 'Entities and their fields',
  states: 'States and transitions',
  validation: 'Validation rules',
  roles: 'Roles and permissions',
  calls: 'The calls it makes',
  errors: 'The error catalogue',
  limits: 'Business constants and limits',
} as const satisfies Record<GapId, string>;
