import { createRoot } from 'react-dom/client';

import { Theme } from '../../src/contract/preferences.ts';
import { Stage } from './stage.tsx';

// One state as a picture of it needs it: `stage.html?name=popup: background awake&theme=light&theme=dark&zoom=1.5`.
const parameters = new URLSearchParams(location.search);
const themes = Theme.options.filter((theme) => parameters.getAll('theme').includes(theme));
const root = document.getElementById('root');
if (root === null) throw new Error('The page has no element #root.');

const zoom = Number(parameters.get('zoom') ?? 1);
createRoot(root).render(<Stage name={parameters.get('name') ?? ''} themes={themes} zoom={zoom} />);
