/** Resolves as the next frame is being drawn. In a page that nobody sees, which has no frames, at once. */
export function nextFrame(): Promise<void> {
  return new Promise((resolve) => {
    if (document.hidden) resolve();
    else requestAnimationFrame(() => resolve());
  });
}
