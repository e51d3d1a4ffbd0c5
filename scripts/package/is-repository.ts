import { runGit } from './run-git.ts';

/** Whether the folder is the top of a git repository; one that merely lies somewhere in another is not. */
export async function isRepository(folder: string): Promise<boolean> {
  // Git has no number of its own for this end, so its words are asked for in English.
  const prefix = await runGit(folder, ['rev-parse', '--show-prefix'], { LC_ALL: 'C' }).catch(
    (error: unknown) => {
      if (String(error).includes('not a git repository')) return undefined;
      throw error;
    },
  );
  return prefix?.trim() === '';
}
