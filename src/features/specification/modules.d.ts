/** The content of `SPEC_GAPS.md`. `build/spec-gaps-plugin.ts` creates both modules. */
declare module '*/SPEC_GAPS.md' {
  /** In the order of the specification. */
  export const gaps: readonly import('./spec-gaps.ts').Gap[];
  /** The text of the file. */
  export const markdown: string;
}

/** The part of it that the popup needs. */
declare module '*/SPEC_GAPS.md?points' {
  export const { points, next }: import('./spec-gaps.ts').Summary;
}
