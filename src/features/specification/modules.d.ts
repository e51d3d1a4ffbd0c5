/** `SPEC_GAPS.md` as modules, made by `spec-gaps-plugin.ts in build/`: all that it says. */
declare module '*/SPEC_GAPS.md' {
  type SpecGaps = import('./spec-gaps.ts').SpecGaps;
  export const start: SpecGaps['start'];
  export const progressByRole: SpecGaps['progressByRole'];
  export const gaps: SpecGaps['gaps'];
  export const choices: SpecGaps['choices'];
  export const leftOut: SpecGaps['leftOut'];
  /** The file as it is. */
  export const markdown: string;
}

/** The progress of the nine points and of the start, without their text: little enough for the popup and the background. */
declare module '*/SPEC_GAPS.md?points' {
  export const points: readonly import('./spec-gaps.ts').Point[];
  export const start: import('./spec-gaps.ts').StartProgress;
}
