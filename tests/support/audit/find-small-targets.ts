/**
 * Controls smaller than 24 by 24 CSS px, with their sizes. A link within a sentence is as high as the sentence's line: the one
 * exception of WCAG 2.2, 2.5.8. Runs in the page.
 */
export function findSmallTargets(): string[] {
  const LEAST = 24;
  const controls = document.querySelectorAll<HTMLElement>(
    'a[href], button, input, select, textarea, summary, [tabindex="0"]',
  );
  const scope = document.querySelector('dialog[open]') ?? document.body;
  return (
    [...controls]
      .filter((control) => scope.contains(control) && control.checkVisibility({ visibilityProperty: true }))
      .filter((control) => !isInSentence(control))
      .map((control) => ({ control, box: (control.closest('label') ?? control).getBoundingClientRect() }))
      // Half a pixel, as zooming rounds.
      .filter(({ box }) => box.width < LEAST - 0.5 || box.height < LEAST - 0.5)
      .map(({ control, box }) => `${nameOf(control)} is ${box.width} × ${box.height} px`)
  );

  function isInSentence(control: HTMLElement): boolean {
    const block = control.parentElement;
    return (
      getComputedStyle(control).display === 'inline' &&
      block !== null &&
      [...block.childNodes].some(
        (node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim() !== '',
      )
    );
  }

  function nameOf(control: HTMLElement): string {
    return `${control.tagName.toLowerCase()} “${(control.textContent || control.getAttribute('aria-label') || '').trim()}”`;
  }
}
