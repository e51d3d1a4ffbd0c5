import { runGit } from './run-git.ts';

/** Whether the folder is the top of a git repository; one that merely lies somewhere in another is not. */
export async function isRepository(folder: string): Promise<boolean> {
  const prefix = await runGit(folder, ['rev-parse', '--show-prefix']).catch((error: unknown) => {
    // What git ends with where it finds no repository; without git there is no such number.
    if (error instanceof Error && 'code' in error && error.code === 128) return undefined;
    throw error;
  });
  return prefix?.trim() === '';
}
