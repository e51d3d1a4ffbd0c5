import type { BidiConnection } from './bidi-connection.ts';
import { evaluateInFirefox } from './evaluate-in-firefox.ts';
import { patience } from './patience.ts';
import { pollUntil } from './poll-until.ts';

/**
 * Waits until the page has loaded and `condition`, source text, holds in it. Asks the page: for
 * extension pages Firefox never sends the events on which BiDi's own waiting rests.
 */
export async function waitUntilLoaded(
  connection: BidiConnection,
  context: string,
  condition: string,
): Promise<void> {
  const source = `document.readyState === 'complete' && ${condition} ? document.documentURI : ''`;
  // While one page gives way to the next there may be nothing to ask.
  const ask = (): Promise<unknown> => evaluateInFirefox(connection, context, source).catch(() => '');
  const uri = await pollUntil(ask, { timeout: patience, waitingFor: 'the page to load' });
  if (String(uri).startsWith('about:neterror'))
    throw new Error(`Firefox cannot load the page: ${String(uri)}`);
}
