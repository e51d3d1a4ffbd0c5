import type { BrowserName } from '../browsers/browser-name.ts';
import { findCodeFromText } from './find-code-from-text.ts';
import { findDevelopment } from './find-development.ts';
import { findMissingImports } from './find-missing-imports.ts';
import { findOverBudget } from './find-over-budget.ts';
import { findRemoteAddresses } from './find-remote-addresses.ts';
import { findStrayFiles } from './find-stray-files.ts';
import { findUnreviewed } from './find-unreviewed.ts';
import { findWorkerImports } from './find-worker-imports.ts';
import type { BuiltExtension } from './built-extension.ts';

/** What a build must not be, in a sentence each. */
export type Gate = (extension: BuiltExtension, browser: BrowserName) => string[];

/** A production build has to pass all of them, or it is refused. */
export const gates: readonly Gate[] = [
  findDevelopment,
  findUnreviewed,
  findStrayFiles,
  findMissingImports,
  findWorkerImports,
  findCodeFromText,
  findRemoteAddresses,
  findOverBudget,
];
