/** An expected failure of a command. The message explains it to the person who ran the command. */
export class CommandError extends Error {
  override readonly name: string = 'CommandError';
}

/** Runs a command and prints its error. A `CommandError` is printed without its stack. */
export async function runCommand(run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    const isExplained = error instanceof CommandError;
    console.error(isExplained ? error.message : error instanceof Error ? error.stack : error);
    process.exitCode = 1;
  }
}
