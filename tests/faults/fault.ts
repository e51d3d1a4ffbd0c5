/** A small breakage of the messaging core, in one place, and the test that has to notice it. */
export interface Fault {
  /** What the core no longer does, to complete the sentence "A core that …". */
  readonly breaks: string;
  /** File in `src/messaging/`. */
  readonly file: string;
  /** Source text that occurs in the file exactly once. */
  readonly find: string;
  readonly replace: string;
  /** File in `tests/messaging/` without `.test.ts`, and the name of the test in it. */
  readonly caughtBy: readonly [file: string, name: string];
}
