import { createRoot } from 'react-dom/client';

import { Theme } from '../../src/contract/preferences.ts';
import { StateFrame } from './state-frame.tsx';
import { galleryStates } from './states.tsx';

// One state as a picture of it needs it: `stage.html?name=popup: background awake&theme=light&theme=dark&zoom=1.5`.
const parameters = new URLSearchParams(location.search);
const name = parameters.get('name') ?? '';
/** Side by side. */
const themes = Theme.options.filter((theme) => parameters.getAll('theme').includes(theme));
const root = document.getElementById('root');
if (root === null) throw new Error('The page has no element #root.');

const zoom = Number(parameters.get('zoom') ?? 1);
createRoot(root).render(<Stage />);

/** One state, filling the window: the popup on a plain ground, the options page as it is. */
function Stage() {
  const state = galleryStates.get(name);
  if (state === undefined) throw new Error(`There is no state "${name}".`);
  return (
    <div className="stage">
      {themes.map((theme) => (
        <div
          key={theme}
          className="scene"
          data-theme={theme}
          data-subject={state.subject === 'popup' ? 'popup' : 'page'}
          style={{ zoom }}
        >
          <StateFrame name={name} subject={state.subject} theme={theme} />
        </div>
      ))}
    </div>
  );
}
