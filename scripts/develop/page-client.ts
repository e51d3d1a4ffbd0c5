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
