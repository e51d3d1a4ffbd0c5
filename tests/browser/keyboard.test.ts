import { expect, it } from 'vitest';

import type { View } from '../../scripts/browsers/view.ts';
import { launchBuiltExtension } from '../support/launch-built-extension.ts';

it('reaches everything in the popup by Tab alone, and opens a point with Enter', async () => {
  const extension = await launchBuiltExtension();
  const popup = await extension.openPopup();
  await popup.waitFor(() => document.body.textContent.includes('Background awake'));

  const reached = await walk(popup, 10);
  await popup.press('Shift+Tab', 'Shift+Tab');
  // The popup closes under the key, which is then never released.
  await popup.press('Enter').catch(() => undefined);
  const options = await extension.findView('src/options/index.html#/specification/calls');

  expect(reached.map(({ text }) => text)).toEqual([
    'Options',
    expect.stringContaining('What the product does and for whom'),
    expect.stringContaining('Screens and routes'),
    expect.stringContaining('Entities and their fields'),
    expect.stringContaining('States and transitions'),
    expect.stringContaining('Validation rules'),
    expect.stringContaining('Roles and permissions'),
    expect.stringContaining('The calls it makes'),
    expect.stringContaining('The error catalogue'),
    expect.stringContaining('Business constants and limits'),
  ]);
  expect(reached.filter(({ hasRing }) => !hasRing)).toEqual([]);
  await options.waitFor(() => document.activeElement?.textContent === 'The calls it makes');
});

it('changes the theme by keys alone, and shows where the focus is', async () => {
  const extension = await launchBuiltExtension();
  const options = await extension.open('src/options/index.html#/preferences');
  await options.waitFor(() => document.querySelectorAll('input[name=theme]').length === 3);

  let focused = { text: '', hasRing: false };
  for (let presses = 0; presses < 30 && !focused.text.includes('Same as the system'); presses += 1) {
    await options.press('Tab');
    focused = await options.evaluate(describeFocus);
  }
  await options.press('ArrowDown', 'ArrowDown');

  expect(focused).toEqual({ text: 'Same as the system', hasRing: true });
  await options.waitFor(() => document.documentElement.dataset['theme'] === 'dark');
  await options.waitFor(
    () => document.querySelector('input[name=theme]:checked')?.parentElement?.textContent === 'Dark',
  );
});

async function walk(page: View, steps: number): Promise<Focused[]> {
  const reached: Focused[] = [];
  for (let step = 0; step < steps; step += 1) {
    await page.press('Tab');
    reached.push(await page.evaluate(describeFocus));
  }
  return reached;
}

interface Focused {
  readonly text: string;
  /** Whether the element, or the label around it, has an outline. */
  readonly hasRing: boolean;
}

/** Runs in the page. */
function describeFocus(): Focused {
  const element = document.activeElement ?? document.body;
  const label = element.closest('label');
  const isOutlined = (candidate: Element): boolean => getComputedStyle(candidate).outlineStyle !== 'none';
  return {
    text: (label ?? element).textContent,
    hasRing: isOutlined(element) || (label !== null && isOutlined(label)),
  };
}
