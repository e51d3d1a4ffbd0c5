import { reportViolations } from './report-violations.ts';

// Runs in each page during development.
reportViolations();
let hasFailed = false;
addEventListener(
  'error',
  ({ target }) => {
    if (target instanceof HTMLScriptElement) hasFailed = true;
  },
  true,
);
addEventListener('load', () => {
  if (!hasFailed) import.meta.hot?.send('page:loaded');
});

// Vite's client would wait for its server in a shared worker, which the policy refuses.
import.meta.hot?.on('vite:ws:disconnect', () => void reloadWhenServerRuns());

async function reloadWhenServerRuns(): Promise<void> {
  const response = await fetch(import.meta.url, { method: 'HEAD' }).catch(() => undefined);
  if (response) location.reload();
  else setTimeout(() => void reloadWhenServerRuns(), 100);
}
