import { createPageBench } from '../page-bench.ts';
import { askOverPort } from '../raw-port.ts';

// The browser's own API.
globalThis.bench = createPageBench({
  message: (value) => chrome.runtime.sendMessage(value),
  port: (value) => askOverPort('echo', value),
  stored: (value) => askOverPort('store', value),
});
document.title = 'ready';
