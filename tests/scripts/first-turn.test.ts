import { expect, it, vi } from 'vitest';

import { findFirstError } from '../../scripts/first-turn.ts';

// Each row starts a thread.
vi.setConfig({ testTimeout: 60_000 });

const WORKER = { background: { service_worker: 'worker.js' }, version: '1.2.3' };

const firstError = (script: string, manifest: Parameters<typeof findFirstError>[0]['manifest'] = WORKER) =>
  findFirstError({ script, path: 'worker.js', manifest });

it.each([
  'chrome.runtime.onInstalled.addListener(async () => { throw new Error("later"); });',
  'setTimeout(() => { throw new Error("later"); });',
  '(async () => { const { a } = await browser.storage.local.get("a"); throw a; })();',
  'for (const a of chrome.tabs) throw a; `${chrome.a}`; if ("a" in chrome) throw 1;',
  'if (self !== globalThis || !(location.host && chrome.runtime.id)) throw new Error("no extension");',
  'new URL(chrome.runtime.getURL("a.html")); if (chrome.runtime.getManifest().version !== "1.2.3") throw 1;',
  '(async () => { throw new Error("later"); })();',
  '(async () => { await null; throw new Error("later"); })();',
  'new BroadcastChannel("a").onmessage = () => {}; const { port1 } = new MessageChannel(); port1.onmessage = () => {};',
  'new Blob([navigator.userAgent]); crypto.subtle.digest("SHA-256", chrome.a); structuredClone(chrome.a);',
  'if (isSecureContext) fonts.add(origin); requestIdleCallback(() => {});',
  'JSON.parse(navigator.userAgent); new Date(navigator.a).toISOString();',
  'self.addEventListener("error", () => {}); globalThis.addEventListener("online", () => {});',
  'new OffscreenCanvas(1, 1).getContext("2d").fillRect(); class A extends ImageData {}',
])('a background starts that runs %s', async (script) => {
  expect(await firstError(script)).toBeUndefined();
});

it.each([
  ['throw new TypeError("Two documents have one key.");', 'TypeError: Two documents have one key.'],
  ['const a = b; let b;', "ReferenceError: Cannot access 'b' before initialization"],
  ['document.title', 'ReferenceError: document is not defined'],
  ['OffscreenCanvas.a.b; throw new Error("later");', 'Error: later'],
  ['const a = ;', "SyntaxError: Unexpected token ';'"],
])('a background that runs %s throws', async (script, error) => {
  expect(await firstError(script)).toBe(error);
});

it('the background of Firefox has a document', async () => {
  expect(await firstError('document.title; window.a;', { background: {} })).toBeUndefined();
});
