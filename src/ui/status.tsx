import { useEffect, useState } from 'react';

interface StatusProps {
  /** Empty while there is nothing to say. */
  readonly text: string;
  /** Changes with each event that the text is about, so that a second press of a button announces the same text again. */
  readonly occasion?: unknown;
}

/**
 * Shows the result of what the person did, and announces it to screen readers. Render it while the text is still empty,
 * because screen readers announce changes only in a region that already exists.
 */
export function Status({ text, occasion }: StatusProps) {
  const isPaused = usePause(text, occasion);
  return (
    <p role="status" className="status">
      {isPaused ? NO_TEXT : text}
    </p>
  );
}

/** A no-break space, which keeps the height of a line. Screen readers do not announce it. */
const NO_TEXT = '\u{a0}';

/** Milliseconds. Screen readers and people may miss a shorter pause. */
const PAUSE = 100;

/**
 * Returns true for a moment if a text is to be announced again, because the text is the same as before and `occasion` is another
 * one, or because the text was gone for less than this moment. Hide the text while it is true: a screen reader does not
 * announce a text that was not gone, and a person does not see that something happened.
 *
 * @param occasion undefined while there is nothing new to say about the text
 */
export function usePause(text: string, occasion?: unknown): boolean {
  const [latest, setLatest] = useState({ text, occasion, announced: text, isPaused: false });
  if (text !== latest.text || occasion !== latest.occasion) {
    const isNew = text !== latest.text || occasion !== undefined;
    const isPaused = isNew && text !== '' && text === latest.announced;
    setLatest({ text, occasion, announced: text || latest.announced, isPaused });
  }

  useEffect(() => {
    if (!latest.isPaused && latest.announced === latest.text) return undefined;
    const ended = { ...latest, announced: latest.text, isPaused: false };
    const timer = setTimeout(() => setLatest(ended), PAUSE);
    return () => clearTimeout(timer);
  }, [latest]);

  return latest.isPaused;
}
