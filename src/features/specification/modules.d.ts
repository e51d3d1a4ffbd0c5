/** The whole content of `SPEC_GAPS.md`. `build/spec-gaps-plugin.ts` creates both modules. */
declare module '*/SPEC_GAPS.md' {
  type SpecGaps = import('./spec-gaps.ts').SpecGaps;
  export const start: SpecGaps['start'];
  export const progressByRole: SpecGaps['progressByRole'];
  export const gaps: SpecGaps['gaps'];
  export const choices: SpecGaps['choices'];
  export const leftOut: SpecGaps['leftOut'];
  /** The text of the file. */
  export const markdown: string;
}

/** The titles and the progress of the nine points, without their questions. It is small enough for the popup. */
declare module '*/SPEC_GAPS.md?points' {
  export const points: readonly import('./spec-gaps.ts').Point[];
  export const start: import('./spec-gaps.ts').StartProgress;
}
