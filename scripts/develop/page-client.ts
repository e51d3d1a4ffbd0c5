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

// Vite's client awaits this. Then it would wait for its server in a shared worker, which the policy refuses, so it never ends.
// oxlint-disable-next-line typescript/no-misused-promises -- see above
import.meta.hot?.on('vite:ws:disconnect', async () => {
  while (!(await fetch(import.meta.url, { method: 'HEAD' }).catch(() => undefined)))
    await new Promise((resolve) => setTimeout(resolve, 100));
  location.reload();
  await new Promise(() => {});
});
