import { runtime, scripting, tabs } from 'webextension-polyfill';

import { startBackground } from '../../../src/platform/start.ts';
import { contentCallers, contentFeature, logged } from './feature.ts';

startBackground(contentCallers, [contentFeature], {
  log: (_incident, error) => void logged.push(String(error)),
});
// Firefox runs content scripts in open tabs by itself.
if (runtime.getURL('').startsWith('chrome-')) runtime.onInstalled.addListener(() => void enterOpenTabs());

async function enterOpenTabs(): Promise<void> {
  for (const { id } of await tabs.query({ url: 'http://*.test/*' })) {
    if (id !== undefined) await scripting.executeScript({ target: { tabId: id }, files: ['content.js'] });
  }
}
