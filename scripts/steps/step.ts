/** One thing that has to succeed, such as a linter or a test suite. */
export interface Step {
  readonly name: string;
  run(): Promise<StepOutcome>;
}

export interface StepOutcome {
  /** Tests that passed; a step that is not a test suite has none. */
  readonly passed: number;
  /** Tests that failed; 1 for a failed step that is not a test suite. */
  readonly failed: number;
  /** What it printed, or why it failed: shown when something failed. */
  readonly output: string;
}
