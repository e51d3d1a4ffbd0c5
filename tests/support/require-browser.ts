import { inject } from 'vitest';

// Fails each file of tests at once if prepare-browser.ts has found no browser or no build.
const failure = inject('browserFailure');
if (failure !== '') throw new Error(failure);
