/** An expected failure of a command. The message explains it to the person who ran the command. */
export class CommandError extends Error {
  override readonly name: string = 'CommandError';
}

/** Runs a command and prints its error. A `CommandError`, or an error of `parseArgs`, is printed without its stack. */
export async function runCommand(run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    console.error(isExplained(error) ? error.message : error instanceof Error ? error.stack : error);
    process.exitCode = 1;
  }
}

function isExplained(error: unknown): error is Error {
  if (error instanceof CommandError) return true;
  return error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS_');
}
