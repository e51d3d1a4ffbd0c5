/** Names of the states on the page that are not reached yet, or that all are missing. Runs inside the page. */
export function missingStates(): readonly string[] {
  const frames = [...document.querySelectorAll('iframe')];
  if (frames.length === 0) return ['all'];
  return frames
    .filter(
      ({ contentDocument, title }) => contentDocument?.querySelector('html')?.dataset['reached'] !== title,
    )
    .map(({ title }) => title);
}
