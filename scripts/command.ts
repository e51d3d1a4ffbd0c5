/** An expected failure of a command. The message explains it to the person who ran the command. */
export class CommandError extends Error {
  override readonly name: string = 'CommandError';
}

/** Runs a command and prints its error. The stack is left out if the message says enough. */
export async function runCommand(run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    console.error(error instanceof Error ? describe(error) : error);
    process.exitCode = 1;
  }
}

function describe(error: Error): string | undefined {
  if (isExplained(error)) return error.message;
  // Vite wraps it, with its stack in the message.
  const [refused] = /\b(?:EACCES|EPERM|EROFS): .*'.*'/u.exec(error.message) ?? [];
  return refused === undefined
    ? error.stack
    : `${refused}. Check that you may write there, and run the command again.`;
}

function isExplained(error: Error): boolean {
  if (error instanceof CommandError) return true;
  return error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS_');
}
