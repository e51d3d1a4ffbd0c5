import { translateWith } from '../../scripts/plugins/translate-with.ts';
import type { Messages } from '../../scripts/plugins/translate-with.ts';
import { Theme } from '../../src/contract/preferences.ts';
import { OptionsPage } from '../../src/options/options.tsx';
import { PopupPage } from '../../src/popup/popup.tsx';
import english from '../../src/static/_locales/en/messages.json' with { type: 'json' };
import { applyTheme, mountPage, Page } from '../../src/ui/page.tsx';
import { noteStored } from '../../src/ui/storage-notice.tsx';
import type { Translate } from '../../src/ui/text.ts';
import { createFixedClient, withTheme } from './fixed-worker.ts';
import { galleryStates } from './states.tsx';
import type { GalleryState, GalleryStep } from './states.tsx';

// One state, named in the address: `state.html?name=options: about&dir=rtl&theme=dark#/about`.
const parameters = new URLSearchParams(location.search);
const name = parameters.get('name') ?? '';
const state = galleryStates.get(name);
if (state === undefined) throw new Error(`There is no state "${name}".`);

const theme = Theme.options.find((option) => option === parameters.get('theme')) ?? 'system';
const translate = translateWith(parameters.get('dir') === 'rtl' ? rightToLeft(english) : english);
const extension = { client: createFixedClient(withTheme(state.worker, theme)), translate };

// A page notices lost data only if it knows that something was stored.
noteStored();
applyTheme(theme);
document.title = name;

// Not sooner: Firefox remarks on layout that is forced while a page loads, as the way to a state may do.
addEventListener('load', () => void show(state));

async function show(shown: GalleryState): Promise<void> {
  mountPage(<StatePage subject={shown.subject} />, translate);
  await reachState(shown, translate);
  document.documentElement.dataset['reached'] = name;
}

/** The subject of a state, as the extension shows it. */
function StatePage({ subject }: Pick<GalleryState, 'subject'>) {
  if (subject === 'popup') return <PopupPage extension={extension} openOptions={async () => {}} />;
  if (typeof subject === 'string') return <OptionsPage extension={extension} />;
  if ('page' in subject) return <Page extension={extension}>{subject.page}</Page>;
  return (
    <Page extension={extension}>
      <main className="part">
        <h1 className="visually-hidden">{name}</h1>
        {subject.part}
      </main>
    </Page>
  );
}

/** Brings the page that is shown into a state, and settles when it says so. Never settles when it does not. */
async function reachState({ steps = [], says }: GalleryState, t: Translate): Promise<void> {
  for (const step of steps) await take(step, t);
  // Without a placeholder's value the text that stands around it has to do.
  const text = t(says as 'retry');
  await until(() => document.body.textContent.includes(text) || undefined);
}

async function take(step: GalleryStep, t: Translate): Promise<void> {
  const label = t(step.press as 'retry');
  const button = await until(() =>
    [...document.querySelectorAll('button')].find(
      (candidate) => candidate.textContent === label && candidate.checkVisibility(),
    ),
  );
  button.click();
}

async function until<T>(look: () => T | null | undefined): Promise<T> {
  for (;;) {
    const found = look();
    if (found !== null && found !== undefined) return found;
    await new Promise((resolve) => {
      setTimeout(resolve, 10);
    });
  }
}

/** The same texts, set as those of a language that is written from right to left. */
function rightToLeft(messages: Messages): Messages {
  // Not seen; makes the text around it run from right to left.
  const mark = '\u200F';
  const marked = Object.entries(messages).map(([key, { message }]) => [
    key,
    { message: `${mark}${message}${mark}` },
  ]);
  const { text_language: language } = messages;
  return {
    ...(Object.fromEntries(marked) as Messages),
    ...(language && { text_language: language }),
    text_direction: { message: 'rtl' },
  };
}
