import { createClient } from '../../../src/messaging/client/client.ts';
import { connectToWorker } from '../../../src/platform/port.ts';
import { askEverything, everyCall } from '../every-call.ts';
import type { contentContract } from './contract.ts';

/** Makes every call, and one with the real client; the outcomes go into the attribute `data-told` of the page. */
async function tell(): Promise<void> {
  const outcomes = await askEverything(everyCall, '');
  const client = createClient<typeof contentContract>(connectToWorker);
  const echo = await client
    .query('text.echo', 'Hello', { timeout: 2_000 })
    .catch((error: unknown) => String(error));
  document.documentElement.dataset['told'] = JSON.stringify({ outcomes, echo });
}

void tell();
