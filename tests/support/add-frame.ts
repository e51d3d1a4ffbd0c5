import type { View } from '../../scripts/browsers/running-extension.ts';

/**
 * Puts a frame with these attributes into a page, and waits until the browser has loaded it or has had 5 s to. What the
 * frame tells the page, see `tellingScript`, goes into the attribute `data-told` of the page.
 */
export async function addFrame(page: View, attributes: Readonly<Record<string, string>>): Promise<void> {
  await page.evaluate(async (all) => {
    addEventListener('message', ({ data }: MessageEvent<{ readonly told?: string }>) => {
      if (data.told !== undefined) document.documentElement.dataset['told'] = data.told;
    });
    const frame = document.createElement('iframe');
    for (const [name, value] of Object.entries(all)) frame.setAttribute(name, value);
    await new Promise((resolve) => {
      frame.addEventListener('load', resolve);
      document.body.append(frame);
      setTimeout(resolve, 5_000);
    });
  }, attributes);
}
