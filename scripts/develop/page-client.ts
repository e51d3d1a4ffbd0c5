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
import.meta.hot?.on('vite:ws:disconnect', async () => {
  const hasStarted = (): Promise<boolean> =>
    fetch(import.meta.url, { method: 'HEAD' }).then(
      () => true,
      () => false,
    );
  while (!(await hasStarted())) await new Promise((resolve) => setTimeout(resolve, 100));
  location.reload();
});
