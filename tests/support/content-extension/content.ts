import type { CallError } from '../../../src/messaging/wire/errors.ts';
import { createContentScriptClient } from '../../../src/platform/browser-client.ts';
import { askEverything, everyCall } from '../every-call.ts';
import type { ContentApi } from './feature.ts';

const client = createContentScriptClient<ContentApi>();

// After an update, the page still has the element of the old script.
document.querySelector('count-output')?.remove();
const host = document.createElement('count-output');
// An important inline style wins over all styles of the page, and a policy of the page does not forbid it.
host.style.cssText = 'all: initial !important; display: block !important';
const output = host.attachShadow({ mode: 'closed' }).appendChild(document.createElement('output'));
document.documentElement.append(host);

const actions: Readonly<Record<string, () => unknown>> = {
  'ask everything': () => askEverything(everyCall, ''),
  echo: async () => {
    const outcome = await client.query('text.echo', 'Hello', { timeout: 600_000 }).catch((error: unknown) => {
      const { code, delivery } = error as CallError;
      return [code, delivery];
    });
    return { outcome, state: client.connection.state() };
  },
  'ask who calls': () => client.query('caller.read'),
  // For some time after it has lost its port, the client itself looks for the end of the extension.
  rest: () => new Promise((resolve) => setTimeout(resolve, 1_000, 'rested')),
  status: () => client.connection.state().status,
  'read the style': () => {
    const { display, color, fontSize } = getComputedStyle(output);
    return { isVisible: host.checkVisibility(), display, color, fontSize };
  },
};

// A test can reach the page but not this script. So it posts the name of an action to the window of the script.
addEventListener('message', onMessage);
if (parent !== window) parent.postMessage({ isReady: true }, '*');
client.connection.onChange(() => {
  const state = client.connection.state();
  if (state.status !== 'failed' || state.reason !== 'unreachable') return;
  // The extension was updated, turned off or removed.
  host.remove();
  removeEventListener('message', onMessage);
});
void follow();

function onMessage({ data, source }: MessageEvent<{ readonly act?: string }>): void {
  // A newer script has removed the element.
  if (!host.isConnected) return;
  const action = actions[data.act ?? ''];
  if (action !== undefined) void answer(action, source as Window);
}

async function answer(action: () => unknown, asker: Window): Promise<void> {
  asker.postMessage({ done: await action() }, '*');
}

async function follow(): Promise<void> {
  try {
    for await (const count of client.subscribe('counter.watch')) {
      output.textContent = String(count);
      // For the test, which cannot read a closed root.
      host.dataset['count'] = String(count);
    }
  } catch {
    // `onChange` handles the end of the extension, and the tests of refused frames read the error of another call.
  }
}
