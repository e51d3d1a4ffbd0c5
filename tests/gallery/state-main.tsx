import { translateWith } from '../../scripts/plugins/translate-with.ts';
import { Theme } from '../../src/contract/preferences.ts';
import english from '../../src/static/_locales/en/messages.json' with { type: 'json' };
import { applyTheme, mountPage } from '../../src/ui/page.tsx';
import { noteStored } from '../../src/ui/storage-notice.tsx';
import { createFixedClient } from './create-fixed-client.ts';
import { reachState } from './reach-state.ts';
import type { GalleryState } from './gallery-state.ts';
import { galleryStates } from './gallery-states.ts';
import { StatePage } from './state-page.tsx';
import { rightToLeft } from './right-to-left.ts';
import { withTheme } from './with-theme.ts';

// One state, named in the address: `state.html?name=options: about&dir=rtl&theme=dark#/about`.
const parameters = new URLSearchParams(location.search);
const name = parameters.get('name') ?? '';
const state = galleryStates.get(name);
if (state === undefined) throw new Error(`There is no state "${name}".`);

const theme = Theme.options.find((option) => option === parameters.get('theme')) ?? 'system';
const translate = translateWith(parameters.get('dir') === 'rtl' ? rightToLeft(english) : english);
const extension = { client: createFixedClient(withTheme(state.worker, theme)), translate };

// What is gone can be missed only by somebody who knows that it was there.
noteStored();
applyTheme(theme);
document.title = name;

// Not sooner: Firefox remarks on layout that is forced while a page loads, as the way to a state may do.
addEventListener('load', () => void show(state));

async function show(shown: GalleryState): Promise<void> {
  mountPage(<StatePage name={name} subject={shown.subject} extension={extension} />, translate);
  await reachState(shown, translate);
  document.documentElement.dataset['reached'] = name;
}
