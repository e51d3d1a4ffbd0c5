import { views } from '../../src/options/views.tsx';
import messages from '../../src/static/_locales/en/messages.json' with { type: 'json' };
import type { RunningExtension, View } from '../../scripts/browsers/running-extension.ts';
import { pages } from '../../src/contract/pages.ts';
import { launchBuiltExtension, withLanguage } from './built-extension.ts';
import { createPseudoLocale } from './create-pseudo-locale.ts';

interface AuditedView {
  readonly name: string;
  readonly address: string;
}

/** Every view of both pages. The popup is looked at in a tab, where it can be given a size. */
export const auditedViews: readonly AuditedView[] = [
  { name: 'popup', address: pages.popup },
  ...[...views.map(({ name }) => name), 'specification/calls', 'nowhere'].map((name) => ({
    name,
    address: `${pages.options}#/${name}`,
  })),
];

/** Starts the built extension in a language, with messages to show and data that could not be read. */
export async function launchFilled(
  language: 'english' | 'doubled' | 'mirrored' = 'english',
): Promise<RunningExtension> {
  const extension = await launchBuiltExtension(
    language === 'english' ? undefined : await withLanguage(createPseudoLocale(messages, language)),
  );
  const page = await extension.open(pages.popup);
  await page.evaluate(() =>
    chrome.storage.local.set({
      preferences: { version: 1, data: { theme: 'system', recordMessages: true } },
      quarantine: { version: 1, data: [{ document: 'preferences', at: 1_700_000_000_000, value: 'eaten' }] },
    }),
  );
  await page.close();
  return extension;
}

/** Opens a view of that extension, in a window of a usual size, and waits until it shows everything that it has. */
export async function openFilled(extension: RunningExtension, { name, address }: AuditedView): Promise<View> {
  const page = await extension.open(address);
  await page.emulate({ viewport: { width: name === 'popup' ? 360 : 1_280, height: 800 } });
  await page.waitFor(
    () =>
      document.querySelector('[data-mark=solid]') !== null &&
      document.querySelector('[role=alert]:not(:empty)') !== null,
  );
  if (name === 'preferences') await page.waitFor(() => document.querySelector('input:checked') !== null);
  if (name === 'messages') {
    await page.waitFor(() => {
      const isOpen = document.querySelector('section ol') !== null;
      if (!isOpen) document.querySelector<HTMLElement>('[role=row] button')?.click();
      return isOpen;
    });
  }
  return page;
}
