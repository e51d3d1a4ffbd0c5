import { useState } from 'react';
import { createRoot } from 'react-dom/client';

import { Theme } from '../../src/contract/preferences.ts';
import { showState } from './state.tsx';
import { findState, galleryStates } from './states.tsx';

// The address says what to show:
//
// - `?width=320&dir=rtl&theme=dark`: all states side by side, in pages that are as wide, in CSS px
// - `?name=popup: background awake&theme=light&theme=dark&zoom=1.5`: one state that fills the window, once in each theme
// - `?only=popup: background awake&dir=rtl&theme=dark`: one state by itself, which the others show in frames
const parameters = new URLSearchParams(location.search);
const [only, name] = [parameters.get('only'), parameters.get('name')];
const direction = parameters.get('dir') ?? 'ltr';
const themes = Theme.options.filter((theme) => parameters.getAll('theme').includes(theme));
const theme = themes[0] ?? 'system';

if (only === null) {
  document.documentElement.dataset['theme'] = theme;
  const root = document.getElementById('root');
  if (root !== null) createRoot(root).render(name === null ? <Sheet /> : <Stage name={name} />);
} else {
  showState(only, direction, theme);
}

function Sheet() {
  const width = Number(parameters.get('width') ?? 0) || undefined;
  return (
    <main className="sheet">
      <h1 className="visually-hidden">All states</h1>
      {[...galleryStates.keys()].map((state) => (
        <figure key={state}>
          <figcaption>{state}</figcaption>
          <Frame name={state} width={width} theme={theme} />
        </figure>
      ))}
    </main>
  );
}

/** The popup on a plain ground, the options page as it is. */
function Stage({ name: state }: { readonly name: string }) {
  const zoom = Number(parameters.get('zoom') ?? 1);
  const { subject } = findState(state);
  return (
    <main className="stage">
      {themes.map((each) => (
        <div key={each} className="scene" data-theme={each} data-subject={subject} style={{ zoom }}>
          <Frame name={state} theme={each} />
        </div>
      ))}
    </main>
  );
}

interface FrameProps {
  readonly name: string;
  readonly theme: Theme;
  /** In CSS px; what suits the state by default. */
  readonly width?: number | undefined;
}

/** Pixels that a modal question needs, which adds nothing to the height of its page. */
const ROOM = 340;

/** A state in a page of its own, as high as what it shows. */
function Frame({ name: state, theme: shown, width }: FrameProps) {
  const [height, setHeight] = useState(100);
  const { subject } = findState(state);
  const isView = typeof subject === 'string' && subject !== 'popup';
  const query = new URLSearchParams({ only: state, dir: direction, theme: shown });

  function fit({ contentDocument }: HTMLIFrameElement): void {
    const body = contentDocument?.querySelector('body');
    if (!body) return;
    new ResizeObserver(() => {
      setHeight(Math.max(body.offsetHeight, body.querySelector('dialog') === null ? 0 : ROOM));
    }).observe(body);
  }

  return (
    // oxlint-disable-next-line react/iframe-missing-sandbox -- a page of the extension, which is to run as one
    <iframe
      title={state}
      className="state"
      src={`gallery.html?${query}${isView ? subject : ''}`}
      width={width ?? (isView ? 1_000 : subject === 'popup' ? 360 : 480)}
      height={height}
      onLoad={({ currentTarget }) => fit(currentTarget)}
    />
  );
}
