import { createRoot } from 'react-dom/client';

import { Theme } from '../../src/contract/preferences.ts';
import { Sheet } from './sheet.tsx';

// Every state side by side: `sheet.html?width=320&dir=rtl&theme=dark`. The width is that of the pages in it, in CSS px.
const parameters = new URLSearchParams(location.search);
const theme = Theme.options.find((option) => option === parameters.get('theme')) ?? 'system';
const width = Number(parameters.get('width') ?? 0) || undefined;
const root = document.getElementById('root');
if (root === null) throw new Error('The page has no element #root.');

document.documentElement.dataset['theme'] = theme;
createRoot(root).render(<Sheet width={width} direction={parameters.get('dir') ?? 'ltr'} theme={theme} />);
