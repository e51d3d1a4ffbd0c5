/**
 * Resolves when the next frame has been handed over to be painted. In a page that nobody sees, which has no frames, at
 * once.
 */
export function nextFrame(): Promise<void> {
  return new Promise((resolve) => {
    if (document.hidden) resolve();
    // The callback runs before its frame is drawn, a timer's after that.
    else requestAnimationFrame(() => setTimeout(resolve));
  });
}
