import type { BenchBrowser } from './bench-browser.ts';
import type { Series } from './run-rounds.ts';

/** What was measured, against what, and what was to be reached. */
export interface Comparison {
  readonly scenario: string;
  /** Of the samples. */
  readonly unit: 'ms' | 'kB' | 'shift' | '× raw port';
  readonly measured: Series;
  /** What the goal is a multiple of; left out where the goal is in the unit itself. */
  readonly against?: Series;
  /** Whether the goal is a ratio of rates, not of times. */
  readonly isRate?: boolean;
  /** Whether the browser rounds the samples to steps so wide that a median is one step or the next. */
  readonly isStepped?: boolean;
  readonly goal: Goal;
}

/** The result is to be `most` at most or `least` at least. */
export type Goal = { readonly most: number } | { readonly least: number };

/**
 * Measures one thing in a browser.
 *
 * @param effort share of the full number of rounds; the full number is for the scenario to multiply: 1 or less
 */
export type Scenario = (browser: BenchBrowser, effort: number) => Promise<Comparison[]>;
