/** `SPEC_GAPS.md` as a module, made by `scripts/spec-gaps/spec-gaps-plugin.ts`. */
declare module '*/SPEC_GAPS.md' {
  /** All nine points with all that is said of them. */
  export const gaps: readonly import('./contract/spec-gaps.ts').Gap[];
  /** All nine points without their text: little enough for the popup. */
  export const points: readonly import('./contract/spec-gaps.ts').Point[];
  /** The points that are specified. */
  export const specified: readonly import('./contract/spec-gaps.ts').GapId[];
  export const choices: readonly import('./contract/spec-gaps.ts').Choice[];
  export const leftOut: readonly import('./contract/spec-gaps.ts').Paragraph[];
}

/** The one export that the worker needs, without a tie to the texts. */
declare module '*/SPEC_GAPS.md?export=specified' {
  /** The points that are specified. */
  export const specified: readonly import('./contract/spec-gaps.ts').GapId[];
}
