import { inject } from 'vitest';

// Fails each file of tests at once if prepare-browser.ts could not start the browser.
const failure = inject('browserFailure');
if (failure !== '') throw new Error(failure);
