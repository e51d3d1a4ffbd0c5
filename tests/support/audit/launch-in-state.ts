import messages from '../../../src/static/_locales/en/messages.json' with { type: 'json' };
import { copyBuiltExtension } from '../copy-built-extension.ts';
import { createPseudoLocale } from '../create-pseudo-locale.ts';
import { launchBuiltExtension } from '../launch-built-extension.ts';
import type { LaunchedExtension } from '../launch-built-extension.ts';
import { withLanguage } from '../with-language.ts';
import { withWorkerPrelude } from '../with-worker-prelude.ts';
import type { AuditedLanguage } from './audited-modes.ts';
import type { AuditedState } from './audited-views.ts';

/** Takes every port and says nothing. */
const MUTE = `
  for (const api of new Set([globalThis.chrome, globalThis.browser])) {
    if (api === undefined) continue;
    const { onConnect } = api.runtime;
    const addListener = onConnect.addListener.bind(onConnect);
    onConnect.addListener = () => addListener(() => {});
  }
`;

const FULL = `
  for (const api of new Set([globalThis.chrome, globalThis.browser])) {
    if (api === undefined) continue;
    const { local } = api.storage;
    const set = local.set.bind(local);
    local.set = (items) =>
      'preferences' in items ? Promise.reject(new Error('QUOTA_BYTES quota exceeded')) : set(items);
  }
`;

/** Scripts that make a worker bring the state about. */
const preludes: Partial<Record<AuditedState, string>> = {
  loading: MUTE,
  failed: `throw new Error('no start');`,
  'not-saved': FULL,
};

/** Starts the built extension in a language, with a worker and a storage that put its pages into a state. */
export async function launchInState(
  state: AuditedState,
  language: AuditedLanguage,
): Promise<LaunchedExtension> {
  const prelude = preludes[state];
  const folder = prelude === undefined ? await copyBuiltExtension() : await withWorkerPrelude(prelude);
  if (language !== 'english') await withLanguage(folder, createPseudoLocale(messages, language));
  const extension = await launchBuiltExtension(folder);

  const page = await extension.open('src/popup/index.html');
  if (state === 'filled' || state === 'asking') await page.evaluate(fill);
  if (state === 'read-only') await page.evaluate(storeNewer);
  await page.close();
  return extension;
}

function fill(): Promise<void> {
  return chrome.storage.local.set({
    preferences: { version: 1, data: { theme: 'system', recordMessages: true } },
    quarantine: { version: 1, data: [{ document: 'preferences', at: 1_700_000_000_000, value: 'eaten' }] },
  });
}

function storeNewer(): Promise<void> {
  return chrome.storage.local.set({ preferences: { version: 99, data: {} } });
}
