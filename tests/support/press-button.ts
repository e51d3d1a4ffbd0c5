import type { View } from '../../scripts/browsers/running-extension.ts';

/** Presses the button with that text, of the dialog if there is one, as soon as it is there and takes a press. */
export async function pressButton(page: View, label: string): Promise<void> {
  await page.waitFor((text) => {
    const scope = document.querySelector('dialog[open]') ?? document;
    const button = [...scope.querySelectorAll('button')].find(({ textContent }) => textContent === text);
    if (button?.checkVisibility() !== true || button.ariaDisabled === 'true') return false;
    button.click();
    return true;
  }, label);
}
