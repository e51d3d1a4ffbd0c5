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

/** `open` while a question is left, `specified` when none is. */
export type GapStatus = 'open' | 'specified';

/** A run of prose: plain text, or code to be set apart from it. Never markup. */
export type Inline = string | { readonly code: string };

/** Prose between two blank lines; never empty. */
export type Paragraph = readonly Inline[];

/** A file or a folder of the repository, and what goes there. */
export interface Place {
  /** From the top of the repository; a folder ends with a slash. */
  readonly path: string;
  readonly text: Paragraph;
}

/** What a grid of the nine points needs to know of each: enough to name it and to link to it. */
export interface Point {
  readonly id: GapId;
  /** 1 to 9, as in the specification. */
  readonly number: number;
  /** As in the specification, without the number. */
  readonly title: string;
  readonly status: GapStatus;
}

/** One point of the specification: what is known of it, what is not, and what happens until it is. */
export interface Gap extends Point {
  /** What the specification does say. */
  readonly known: readonly Paragraph[];
  /** Empty if, and only if, the point is specified. */
  readonly questions: readonly Paragraph[];
  /** What the extension does until the questions are answered. */
  readonly meanwhile: readonly Paragraph[];
  /** Where the answers go. */
  readonly places: readonly Place[];
}

/** Something neutral that had to be chosen to have something that runs. */
export interface Choice {
  readonly name: string;
  readonly text: Paragraph;
  /** The one place where it is changed. */
  readonly place: Place;
}
