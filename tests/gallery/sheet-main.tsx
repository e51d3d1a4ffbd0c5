import { createRoot } from 'react-dom/client';

import { Theme } from '../../src/contract/preferences.ts';
import { StateFrame } from './state-frame.tsx';
import { galleryStates } from './states.tsx';

// Every state side by side: `sheet.html?width=320&dir=rtl&theme=dark`. The width is that of the pages in it, in CSS px.
const parameters = new URLSearchParams(location.search);
const theme = Theme.options.find((option) => option === parameters.get('theme')) ?? 'system';
const width = Number(parameters.get('width') ?? 0) || undefined;
const direction = parameters.get('dir') ?? 'ltr';
const root = document.getElementById('root');
if (root === null) throw new Error('The page has no element #root.');

document.documentElement.dataset['theme'] = theme;
createRoot(root).render(<Sheet />);

/** Every state in a page of its own, side by side. */
function Sheet() {
  return (
    <>
      <h1 className="visually-hidden">All states</h1>
      <div className="sheet">
        {Array.from(galleryStates, ([name, { subject }]) => (
          <figure key={name}>
            <figcaption>{name}</figcaption>
            <StateFrame name={name} subject={subject} width={width} direction={direction} theme={theme} />
          </figure>
        ))}
      </div>
    </>
  );
}
