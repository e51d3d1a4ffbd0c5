import { expect, it, onTestFinished, vi } from 'vitest';

import { CommandError, runCommand } from '../../scripts/command.ts';

it.each([
  ['an explained error', new CommandError('Choose a browser.'), 'Choose a browser.'],
  [
    'a refused write',
    new Error(
      "Build failed:\n\nError: EACCES: permission denied, mkdir '/p/dist'\n    at mkdirSync (node:fs)",
    ),
    "EACCES: permission denied, mkdir '/p/dist'. Check that you may write there, and run the command again.",
  ],
])('prints %s without its stack, and fails', async (_name, error, printed) => {
  const print = vi.spyOn(console, 'error').mockImplementation(() => {});
  const { exitCode } = process;
  onTestFinished(() => void (process.exitCode = exitCode));

  await runCommand(() => Promise.reject(error));

  expect(print.mock.calls).toEqual([[printed]]);
  expect(process.exitCode).toBe(1);
});
