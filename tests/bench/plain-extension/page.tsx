import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';

import { PlainPopup } from './plain-popup.tsx';

// What Vite's own template does with a page.
const container = document.getElementById('root');
if (container !== null) {
  createRoot(container).render(
    <StrictMode>
      <PlainPopup />
    </StrictMode>,
  );
}
