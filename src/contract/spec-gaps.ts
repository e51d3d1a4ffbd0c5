/** The nine points of the specification, in its order. An id is stable: addresses and messages carry it. */
export const gapIds = [
  'purpose',
  'screens',
  'entities',
  'states',
  'validation',
  'roles',
  'calls',
  'errors',
  'limits',
] as const;

/** One of the nine points of the specification. */
export type GapId = (typeof gapIds)[number];

/** A run of prose: plain text, or code to be set apart from it. Never markup. */
export type Inline = string | { readonly code: string };

/** Prose between two blank lines; never empty. */
export type Paragraph = readonly Inline[];

/** Who can usually answer a question. */
export type Role = 'owner' | 'designer' | 'engineer';

export interface Question {
  /** Such as `7.3`: the number of the point and of the question. It never changes its meaning. */
  readonly id: string;
  readonly text: Paragraph;
  readonly role: Role;
  /** Whether its answer unblocks others. */
  readonly isStart: boolean;
  /** Empty until it is answered. */
  readonly answer: readonly Paragraph[];
}

/** A file or a folder of the repository, and what goes there. */
export interface Place {
  /** From the top of the repository; a folder ends with a slash. */
  readonly path: string;
  readonly text: Paragraph;
}

/** How many of its questions are answered. */
export interface Progress {
  readonly answered: number;
  /** Never 0. */
  readonly total: number;
}

export function addProgress(parts: readonly Progress[]): Progress {
  return parts.reduce((sum, part) => ({
    answered: sum.answered + part.answered,
    total: sum.total + part.total,
  }));
}

/** What a grid of the nine points needs to know of each: enough to name it and to link to it. */
export interface Point extends Progress {
  readonly id: GapId;
  /** 1 to 9, as in the specification. */
  readonly number: number;
  /** As in the specification, without the number. */
  readonly title: string;
}

/** One point of the specification: what is known of it, what is asked and answered, and what happens until then. */
export interface Gap extends Point {
  readonly known: readonly Paragraph[];
  readonly questions: readonly Question[];
  readonly forNow: readonly Paragraph[];
  /** Where the answers go. */
  readonly places: readonly Place[];
  /** Its section of `SPEC_GAPS.md`, as it is written there. */
  readonly markdown: string;
}

/** Something neutral that had to be chosen to have something that runs. */
export interface Choice {
  readonly name: string;
  readonly text: Paragraph;
  /** Every place where it is changed. */
  readonly places: readonly Place[];
}

/** What `SPEC_GAPS.md` says. */
export interface SpecGaps {
  /** In the order of the specification. */
  readonly gaps: readonly Gap[];
  readonly choices: readonly Choice[];
  readonly leftOut: readonly Paragraph[];
}
