import { type ReactNode, useState } from 'react';
import { createRoot } from 'react-dom/client';

import type { Theme } from '../../src/features/preferences/background.ts';
import { OptionsPage } from '../../src/options/options.tsx';
import { PopupPage } from '../../src/popup/popup.tsx';
import english from '../../src/static/_locales/en/messages.json' with { type: 'json' };
import type { Extension } from '../../src/ui/extension.ts';
import { mountPage } from '../../src/ui/mount-page.tsx';
import { Page } from '../../src/ui/page.tsx';
import { noteStored } from '../../src/features/stored-data/notice.tsx';
import { createExtension, translateWith } from '../support/create-extension.ts';
import { createPseudoLocale } from '../support/create-pseudo-locale.ts';
import { calmWorker, createFixedClient } from './fixed-worker.ts';
import { findState, galleryStates } from './states.tsx';

// The query of the address selects what is shown:
//
// - `?width=320&text=mirrored&theme=dark&omit=popup`: all states next to each other, in frames of this width in CSS px, except
//   those whose names match a regular expression
// - `?name=popup: background awake&theme=light&theme=dark&zoom=1.5`: one state that fills the window, once in each theme
// - `?only=popup: background awake&text=doubled&theme=dark`: the page of one state, which the two others show in frames
const parameters = new URLSearchParams(location.search);
const [only, name] = [parameters.get('only'), parameters.get('name')];
const text = parameters.get('text') ?? 'english';
const themes = (['system', 'light', 'dark'] as const).filter((theme) =>
  parameters.getAll('theme').includes(theme),
);
const theme = themes[0] ?? 'system';

/** The timer of the browser. */
const startTimer = globalThis.setTimeout;

if (only === null) {
  document.documentElement.dataset['theme'] = theme;
  const root = document.getElementById('root');
  if (root !== null) createRoot(root).render(name === null ? <Sheet /> : <Stage name={name} />);
} else {
  showState(only);
}

function Sheet() {
  const width = Number(parameters.get('width') ?? 0) || undefined;
  const omit = parameters.get('omit');
  const shown = [...galleryStates.keys()].filter(
    (state) => omit === null || !new RegExp(omit, 'u').test(state),
  );
  return (
    <main className="sheet">
      <h1 className="visually-hidden">All states</h1>
      {shown.map((state) => (
        <figure key={state}>
          <figcaption>{state}</figcaption>
          <Frame name={state} width={width} theme={theme} />
        </figure>
      ))}
    </main>
  );
}

/** Shows a state that fills the window, once in each theme. The popup is centred on a plain background. */
function Stage({ name: state }: { readonly name: string }) {
  const zoom = Number(parameters.get('zoom') ?? 1);
  const { subject } = findState(state);
  return (
    <main className="stage">
      {themes.map((each) => (
        <div key={each} className="scene" data-subject={subject} style={{ zoom, colorScheme: each }}>
          <Frame name={state} theme={each} />
        </div>
      ))}
    </main>
  );
}

interface FrameProps {
  readonly name: string;
  readonly theme: Theme;
  /** Width in CSS px. By default it depends on the state. */
  readonly width?: number | undefined;
}

/** Shows a state in a frame that is as high as its content. */
function Frame({ name: state, theme: shown, width }: FrameProps) {
  const [height, setHeight] = useState(100);
  const { subject, picture } = findState(state);
  const isView = typeof subject === 'string' && subject !== 'popup';
  const query = new URLSearchParams({ only: state, text, theme: shown });

  function fit({ contentDocument }: HTMLIFrameElement): void {
    const body = contentDocument?.querySelector('body');
    if (body) new ResizeObserver(() => setHeight(body.offsetHeight)).observe(body);
  }

  return (
    // oxlint-disable-next-line react/iframe-missing-sandbox -- a page of the extension must not be sandboxed
    <iframe
      title={state}
      data-picture={picture}
      className="state"
      src={`gallery.html?${query}${isView ? subject : ''}`}
      width={width ?? (isView ? 1_000 : subject === 'popup' ? 360 : 480)}
      height={height}
      onLoad={({ currentTarget }) => fit(currentTarget)}
    />
  );
}

/** Shows a state as the whole page. Sets `data-reached` of the root element to its name when the state is reached. */
function showState(state: string): void {
  const { subject, worker, press, says } = findState(state);
  const isPseudo = text === 'doubled' || text === 'mirrored';
  const translate = translateWith(isPseudo ? createPseudoLocale(english, text) : english);
  const extension = createExtension({ client: createFixedClient(worker, theme), translate });

  // A page notices lost data only if it knows that something was stored.
  noteStored(calmWorker.answers['storage.watch']);
  document.documentElement.dataset['theme'] = theme;
  // This waits for the load, because Firefox logs a message if layout is forced before.
  addEventListener('load', () => void reach());

  async function reach(): Promise<void> {
    mountPage(pageOf(subject, extension), translate);
    document.title = state;
    if (press) {
      const button = await until(() => findButton(translate(press)));
      // A retry ends after some seconds, but its state must stay, so its timer never fires.
      globalThis.setTimeout = (() => 0) as unknown as typeof setTimeout;
      button.click();
    }
    await until(() => document.body.textContent.includes(translate(says)));
    globalThis.setTimeout = startTimer;
    document.documentElement.dataset['reached'] = state;
  }
}

function pageOf(subject: ReactNode, extension: Extension): ReactNode {
  if (subject === 'popup') return <PopupPage extension={{ ...extension, openOptions: async () => {} }} />;
  if (typeof subject === 'string') return <OptionsPage extension={extension} />;
  return <Page extension={extension}>{subject}</Page>;
}

function findButton(label: string): HTMLButtonElement | undefined {
  const buttons = [...document.querySelectorAll('button')];
  return buttons.find((button) => button.textContent === label && button.checkVisibility());
}

async function until<T>(look: () => T): Promise<NonNullable<T>> {
  for (;;) {
    const found = look();
    if (found) return found;
    await new Promise((resolve) => {
      startTimer(resolve, 10);
    });
  }
}
