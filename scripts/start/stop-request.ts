import { once } from 'node:events';

/** Settles when the person asks to stop, by Ctrl-C or `kill`. From the first call on, neither ends the process by itself. */
export async function stopRequest(): Promise<void> {
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
}
