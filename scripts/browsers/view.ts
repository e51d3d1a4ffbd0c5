import type { Truthy } from './truthy.ts';

/** A tab or popup under remote control. Clicks and keys are real input events, not scripted ones. */
export interface View {
  url(): Promise<string>;
  /** Calls a function in the page. It must not refer to anything outside itself; arguments and result travel as JSON. */
  evaluate<Args extends readonly unknown[], T>(run: PageFunction<Args, T>, ...args: Args): Promise<T>;
  /** Calls a function in the page until it returns something truthy, and returns that. Rejects after 30 s with the page's text. */
  waitFor<Args extends readonly unknown[], T>(run: PageFunction<Args, T>, ...args: Args): Promise<Truthy<T>>;
  /** Runs source text (of a library, say) in the page, whatever the page's content security policy. */
  inject(source: string): Promise<void>;
  /** The page's visible text. */
  text(): Promise<string>;
  /** Waits up to 30 s until a point of the element can be hit (there, enabled, not covered), then clicks it. Takes a CSS selector.
   * As with a person, a click in a tab may close the popup, which lives only as long as it has the focus. */
  click(selector: string): Promise<void>;
  /** Presses keys one after the other, each named as in `KeyboardEvent.key`, with modifiers in front: `Tab`, `Shift+Tab`, `a`. */
  press(...keys: readonly string[]): Promise<void>;
  /** Waits until the page shows it, with the transitions that it set off at their end. */
  emulate(emulation: Emulation): Promise<void>;
  /**
   * What assistive technology is told of the page, a line for each thing, indented by what it is within. `undefined` in Firefox,
   * which gives it to nobody outside.
   */
  readAccessibilityTree(): Promise<string | undefined>;
  /** Saves the whole page, also what has to be scrolled to, as a PNG. */
  screenshot(file: string): Promise<void>;
  /** Pictures (PNG) of every frame that is shown while `run` goes on, in their order: in Firefox of the whole window. For the tab in front. */
  recordFrames(run: () => Promise<void>): Promise<readonly Buffer[]>;
  /** Bytes of the page's live JavaScript objects, after a collection; nothing where the browser cannot tell (Firefox). */
  measureHeap(): Promise<number | undefined>;
  reload(): Promise<void>;
  close(): Promise<void>;
}

export type PageFunction<Args extends readonly unknown[], T> = (...args: Args) => T | Promise<T>;

/** What a person can set in system or window; what is left out stays as it is. */
export interface Emulation {
  readonly colorScheme?: 'light' | 'dark';
  readonly reducedMotion?: boolean;
  readonly forcedColors?: boolean;
  /** Size of a tab's viewport in CSS px. A popup takes its size from its content and rejects this. */
  readonly viewport?: { readonly width: number; readonly height: number };
}
