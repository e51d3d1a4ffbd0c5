import { pollUntil } from '../../scripts/browsers/running-extension.ts';
import type { Emulation, RunningExtension, View } from '../../scripts/browsers/running-extension.ts';
import { views } from '../../src/options/views.tsx';
import messages from '../../src/static/_locales/en/messages.json' with { type: 'json' };
import {
  copyBuiltExtension,
  launchBuiltExtension,
  withLanguage,
  withWorkerPrelude,
} from './built-extension.ts';
import { createPseudoLocale } from './create-pseudo-locale.ts';
import { findLayoutFaults, findSmallTargets, findViolations } from './inspect-page.ts';
import { showMany } from './page-actions.ts';

/** What a view can be found in. */
export type AuditedState = 'loading' | 'empty' | 'filled' | 'failed' | 'read-only' | 'not-saved' | 'asking';

interface AuditedView {
  readonly name: string;
  /** Within the extension. The popup is looked at in a tab, where it can be given a size; the real one in a test of its own. */
  readonly address: string;
  /** Those that the view has; `launchInState` and `enterState` must produce each. */
  readonly states: readonly AuditedState[];
  /** CSS px that it takes of a window that is wider. */
  readonly widest?: number;
}

const OPTIONS = 'src/options/index.html';

const always = ['loading', 'filled', 'failed', 'read-only'] as const;

/** The states that a view of something stored or recorded has besides: `empty` is before anything was. */
const further: Partial<Record<(typeof views)[number]['name'], readonly AuditedState[]>> = {
  preferences: ['empty', 'not-saved', 'asking'],
  messages: ['empty'],
};

/** Every view of both pages. */
export const auditedViews: readonly AuditedView[] = [
  { name: 'popup', address: 'src/popup/index.html', widest: 360, states: always },
  ...views.map(({ name }) => ({
    name,
    address: `${OPTIONS}#/${name}`,
    states: [...always, ...(further[name] ?? [])],
  })),
  { name: 'point', address: `${OPTIONS}#/specification/calls`, states: always },
  { name: 'unknown address', address: `${OPTIONS}#/nowhere`, states: always },
];

export type AuditedLanguage = 'english' | 'doubled' | 'mirrored';

interface AuditedMode {
  readonly name: string;
  readonly language: AuditedLanguage;
  /** Whether `npm test` looks at it; the soak looks at all. */
  readonly isQuick: boolean;
  /** As the person has zoomed the pages: 2 for 200 %. */
  readonly zoom: number;
  readonly emulation: Required<Emulation>;
}

const WIDE = { width: 1_280, height: 800 };
const plain = {
  language: 'english',
  isQuick: false,
  zoom: 1,
  emulation: { colorScheme: 'light', reducedMotion: false, forcedColors: false, viewport: WIDE },
} as const satisfies Omit<AuditedMode, 'name'>;

/** What people set in their system, browser and window. */
export const auditedModes: readonly AuditedMode[] = [
  { ...plain, name: 'light' },
  { ...plain, name: 'dark', isQuick: true, emulation: { ...plain.emulation, colorScheme: 'dark' } },
  { ...plain, name: 'forced colours', isQuick: true, emulation: { ...plain.emulation, forcedColors: true } },
  { ...plain, name: 'reduced motion', emulation: { ...plain.emulation, reducedMotion: true } },
  { ...plain, name: 'zoomed to 200 %', zoom: 2 },
  {
    ...plain,
    name: '320 px wide',
    isQuick: true,
    emulation: { ...plain.emulation, viewport: { width: 320, height: 640 } },
  },
  { ...plain, name: 'doubled text', language: 'doubled' },
  { ...plain, name: 'right to left', isQuick: true, language: 'mirrored' },
];

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
): Promise<RunningExtension> {
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

/** The states that a view is in before what the person does brings these about. */
const BEFORE: Partial<Record<AuditedState, AuditedState>> = { 'not-saved': 'empty', asking: 'filled' };

/** Does in a view what a person does to see it in that state, and waits until the page shows it. */
export async function enterState(page: View, view: string, state: AuditedState): Promise<void> {
  await waitUntilIn(page, BEFORE[state] ?? state);

  if (state === 'filled' && view === 'messages') {
    await showMany(page, 60);
    await page.evaluate(() => document.querySelector<HTMLElement>('[role=row] button')?.click());
    await page.waitFor(() => document.querySelector('section ol') !== null);
  }
  if (state === 'not-saved') {
    await page.waitFor(() => document.querySelectorAll('input[name=theme]').length === 3);
    await page.click('input[name=theme]:not(:checked)');
  }
  if (state === 'asking') {
    // The last thing to press is the removal of what could not be read.
    await page.waitFor(() => document.querySelectorAll('main button').length > 1);
    await page.evaluate(() => [...document.querySelectorAll<HTMLElement>('main button')].at(-1)?.click());
  }
  await waitUntilIn(page, state);
}

/** Longer than a page waits for a worker that says nothing. */
async function waitUntilIn(page: View, state: AuditedState): Promise<void> {
  await pollUntil(
    () => page.evaluate(isInState, state),
    async () => `the state ${state}. The page says: ${await page.text()}`,
  );
}

/** Whether the page shows what it shows in that state. Runs in the page. */
export function isInState(state: AuditedState): boolean {
  const has = (selector: string): boolean => document.querySelector(selector) !== null;
  const isAnswered = has('[data-mark=solid], [data-mark=hollow]');
  const hasAlert = has('[role=alert]:not(:empty)');
  switch (state) {
    case 'loading':
      return has('[data-mark=waiting]') && !hasAlert;
    case 'empty':
      return isAnswered && !hasAlert;
    case 'failed':
      return !isAnswered && hasAlert;
    case 'filled':
    case 'read-only':
    case 'not-saved':
      return isAnswered && hasAlert;
    case 'asking':
      return has('dialog[open]');
  }
}

type Mode = (typeof auditedModes)[number];

export interface Audit {
  /** How many times a view was looked at in a mode. */
  readonly looks: number;
  /** What was found, in a line each. */
  readonly found: readonly string[];
}

/** Looks for barriers in each view that has the state, in each of these modes; all of them are of one language. */
export async function auditState(
  state: AuditedState,
  language: AuditedLanguage,
  modes: readonly Mode[],
): Promise<Audit> {
  const extension = await launchInState(state, language);
  const audited = auditedViews.filter(({ states }) => states.includes(state));
  const found: string[] = [];

  for (const view of audited) {
    const { name, address } = view;
    const page = await extension.open(address);
    await enterState(page, name, state);
    for (const mode of modes) {
      await show(page, mode, view.widest);
      if (state === 'loading') {
        // It lasts until the worker is given up.
        await page.reload();
        await enterState(page, name, state);
      }
      const faults = [
        ...(await findViolations(page)),
        ...(await page.evaluate(findSmallTargets)),
        ...(await page.evaluate(findLayoutFaults)),
        ...((await page.evaluate(isInState, state)) ? [] : ['The page was not in that state to the end.']),
      ];
      found.push(...faults.map((fault) => `${name}, ${state}, ${mode.name}: ${fault}`));
    }
    await page.close();
  }
  return { looks: audited.length * modes.length, found };
}

/** Zooms last: zooming divides the size that the viewport was given. */
async function show(page: View, { zoom, emulation }: Mode, widest = Infinity): Promise<void> {
  const { width, height } = emulation.viewport;
  await zoomTo(page, 1);
  await page.emulate({ ...emulation, viewport: { width: Math.min(width, widest * zoom), height } });
  await zoomTo(page, zoom);
}

async function zoomTo(page: View, zoom: number): Promise<void> {
  await page.evaluate((factor) => chrome.tabs.setZoom(factor), zoom);
  await page.waitFor((factor) => devicePixelRatio === factor, zoom);
}

/** Looks for what cannot be read or pressed in the popup at each of these widths, in CSS px. Gives a line for each. */
export async function auditPopupWidths(
  state: AuditedState,
  language: AuditedLanguage,
  widths: readonly number[],
): Promise<readonly string[]> {
  const extension = await launchInState(state, language);
  const page = await extension.open('src/popup/index.html');
  await enterState(page, 'popup', state);

  const found: string[] = [];
  for (const width of widths) {
    await page.emulate({ viewport: { width, height: 600 } });
    const faults = [...(await page.evaluate(findSmallTargets)), ...(await page.evaluate(findLayoutFaults))];
    found.push(...faults.map((fault) => `${width} px: ${fault}`));
  }
  return found;
}
