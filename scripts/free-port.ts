import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

interface BoundPort {
  readonly port: number;
  readonly release: () => Promise<void>;
}

/** Binds the first free port from `first` on, so that another `npm start` takes another one until it is released. */
export async function bindFreePort(first: number): Promise<BoundPort> {
  for (let port = first; ; port += 1) {
    const server = createServer().unref();
    if (await isBound(server, port)) {
      return { port, release: () => new Promise((resolve) => server.close(() => resolve())) };
    }
  }
}

/** Returns `false` if another process has the port. Rejects if the port cannot be bound for another reason. */
async function isBound(server: Server, port: number): Promise<boolean> {
  try {
    // Vite also listens on this name.
    await once(server.listen(port, 'localhost'), 'listening');
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return false;
    throw error;
  }
}
