import { setTimeout as sleep } from 'node:timers/promises';

import { expect, it } from 'vitest';

import { pollUntil } from '../../scripts/browsers/running-extension.ts';
import type { View } from '../../scripts/browsers/running-extension.ts';
import { injectCode, submitForm } from '../support/inject-code.ts';
import { launchBuiltExtension } from '../support/launch-built-extension.ts';
import { serveWitness } from '../support/serve-witness.ts';
import type { Witness } from '../support/serve-witness.ts';

const WAYS = [
  'inline script, inline handler, eval, Function, string timer, innerHTML, javascript: link, blob worker, base',
  'srcdoc, data: frame, data: script, remote.js, remote.css, image, frame, fetch, beacon, socket',
].flatMap((some) => some.split(', '));

it('lets nothing into the options page and the popup that gets into a web page without a policy', async () => {
  const extension = await launchBuiltExtension();
  const { patience } = await injectIntoWebPage(extension);

  for (const open of [() => extension.open('src/options/index.html'), () => extension.openPopup()]) {
    const page = await open();
    await page.waitFor(() => document.body.textContent.includes('Background awake'));
    const address = await page.url();
    const witness = await serveWitness();
    await page.evaluate(injectCode, witness.address);
    await sleep(patience);
    expect(await effectsOf(page, witness), address).toEqual([]);

    await page.evaluate(submitForm, witness.address);
    await sleep(patience);
    expect([...witness.asked], address).toEqual([]);
    expect(await page.url()).toBe(address);
  }
});

/** Shows that each way is one. Gives how long, in ms, to wait elsewhere before nothing may be said to have happened. */
async function injectIntoWebPage(extension: {
  open(address: string): Promise<View>;
}): Promise<{ readonly patience: number }> {
  const witness = await serveWitness();
  const page = await extension.open(witness.address);
  const start = performance.now();

  await page.evaluate(injectCode, witness.address);
  let effects: readonly string[] = [];
  await pollUntil(
    async () => {
      effects = await effectsOf(page, witness);
      return effects.length === WAYS.length;
    },
    async () => `${WAYS.join(', ')} to take effect; did: ${effects.join(', ')}`,
  );
  await page.evaluate(submitForm, witness.address);
  await pollUntil(async () => witness.asked.has('form'), 'the form to be sent');
  return { patience: 2 * (performance.now() - start) };
}

async function effectsOf(page: View, { asked }: Witness): Promise<readonly string[]> {
  const done = await page.evaluate(
    () => JSON.parse(document.documentElement.dataset['done'] ?? '[]') as string[],
  );
  return WAYS.filter((way) => done.includes(way) || asked.has(way));
}
