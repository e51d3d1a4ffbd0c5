/** A command that cannot do its work, for a reason that its message explains to the person who ran it. */
export class CommandError extends Error {
  override readonly name: string = 'CommandError';
}

/** Runs a command. The stack of a `CommandError` would only hide its message. */
export async function runCommand(run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    const isExplained = error instanceof CommandError;
    console.error(isExplained ? error.message : error instanceof Error ? error.stack : error);
    process.exitCode = 1;
  }
}
