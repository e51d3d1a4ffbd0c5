// Not the page that is measured, which has no script: another one of its extension, to start the worker with.
void wake();

async function wake(): Promise<void> {
  await chrome.runtime.sendMessage({ ask: 'specified' });
  performance.mark('first-data');
}
