import { type Matcher, screen } from '@testing-library/react';

/** Waits for a text, and then translates the page. */
export async function translateWhen(text: Matcher): Promise<void> {
  await screen.findByText(text);
  translatePage();
}

/**
 * Replaces each text node of the page, as the translator of a browser does. React still knows the old ones.
 * https://github.com/facebook/react/issues/11538
 */
export function translatePage(): void {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const texts: Node[] = [];
  while (walker.nextNode()) texts.push(walker.currentNode);
  for (const text of texts) {
    const translation = document.createElement('span');
    translation.textContent = text.textContent;
    (text as Text).replaceWith(translation);
  }
}
