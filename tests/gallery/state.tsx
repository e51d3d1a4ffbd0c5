import { translateWith } from '../../scripts/plugins/translate-with.ts';
import type { Theme } from '../../src/contract/preferences.ts';
import { OptionsPage } from '../../src/options/options.tsx';
import { PopupPage } from '../../src/popup/popup.tsx';
import english from '../../src/static/_locales/en/messages.json' with { type: 'json' };
import type { Extension } from '../../src/ui/extension.ts';
import { applyTheme, mountPage, Page } from '../../src/ui/page.tsx';
import { noteStored } from '../../src/ui/storage-notice.tsx';
import { createPseudoLocale } from '../support/create-pseudo-locale.ts';
import { createFixedClient } from './fixed-worker.ts';
import { findState } from './states.tsx';
import type { GalleryState } from './states.tsx';

/** Shows a state as the whole page, which has its name in `data-reached` of the root as soon as it is in that state. */
export function showState(name: string, direction: string, theme: Theme): void {
  const { subject, worker, press, says } = findState(name);
  const translate = translateWith(direction === 'rtl' ? createPseudoLocale(english, 'mirrored') : english);
  const extension = { client: createFixedClient(worker, theme), translate };

  // A page notices lost data only if it knows that something was stored.
  noteStored();
  applyTheme(theme);

  // Not sooner: Firefox remarks on layout that is forced while a page loads, as the way to a state may do.
  addEventListener('load', () => void reach());

  async function reach(): Promise<void> {
    mountPage(<StatePage subject={subject} extension={extension} />, translate);
    document.title = name;
    if (press) (await until(() => buttonOf(translate(press)))).click();
    await until(() => document.body.textContent.includes(translate(says)) || undefined);
    document.documentElement.dataset['reached'] = name;
  }
}

interface StatePageProps extends Pick<GalleryState, 'subject'> {
  readonly extension: Extension;
}

/** The subject of a state, as the extension shows it. */
function StatePage({ subject, extension }: StatePageProps) {
  if (subject === 'popup') return <PopupPage extension={extension} openOptions={async () => {}} />;
  if (typeof subject === 'string') return <OptionsPage extension={extension} />;
  return <Page extension={extension}>{subject}</Page>;
}

function buttonOf(label: string): HTMLButtonElement | undefined {
  const buttons = [...document.querySelectorAll('button')];
  return buttons.find((button) => button.textContent === label && button.checkVisibility());
}

async function until<T>(look: () => T | undefined): Promise<T> {
  for (;;) {
    const found = look();
    if (found !== undefined) return found;
    await new Promise((resolve) => {
      setTimeout(resolve, 10);
    });
  }
}
