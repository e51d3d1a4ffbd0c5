import { runtime, scripting, storage, tabs } from 'webextension-polyfill';

import { startBackground } from '../../../src/platform/start.ts';
import { contentCallers, contentFeature, logged } from './feature.ts';

startBackground(contentCallers, [contentFeature], {
  log: (_incident, error) => void logged.push(String(error)),
});
// Firefox runs content scripts in open tabs by itself.
if (runtime.getURL('').startsWith('chrome-')) void enterOpenTabs();

/** The recipe of docs/recipes/content-script.md. */
async function enterOpenTabs(): Promise<void> {
  const { hasEntered } = await storage.session.get('hasEntered');
  if (hasEntered === true) return;
  await storage.session.set({ hasEntered: true });
  for (const { id } of await tabs.query({ url: 'http://*.test/*' })) {
    if (id !== undefined) await scripting.executeScript({ target: { tabId: id }, files: ['content.js'] });
  }
}
