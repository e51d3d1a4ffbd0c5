import type { Json } from '../../src/messaging/json.ts';
import type { Store } from '../../src/messaging/store.ts';
import { createDeferred } from './create-deferred.ts';

/** Named moments between the server and the disk at which a worker can be made to die. */
export type DeathPoint = 'before-lock' | 'in-lock' | 'before-commit' | 'after-commit';

/** The life of one worker: its promises settle only while it lasts. */
export interface Life {
  readonly isOver: () => boolean;
  /** Called at each named moment; may end the life. */
  readonly pass: (point: DeathPoint) => void;
}

/** Storage and locks that outlast workers. */
export interface MemoryDisk {
  /** The store as one worker has it. When its life is over, nothing it has begun goes on and its lock is free. */
  readonly mount: (life: Life) => { readonly store: Store; readonly unmount: () => void };
  readonly read: (key: string) => Json | undefined;
  readonly write: (key: string, value: Json) => void;
  readonly keys: () => readonly string[];
  /** Makes every write reject with this error, until told otherwise. */
  readonly failWrites: (error: Error | undefined) => void;
  /** Makes every read by a worker reject with this error, until told otherwise. */
  readonly failReads: (error: Error | undefined) => void;
}

export function createMemoryDisk(): MemoryDisk {
  const texts = new Map<string, string>();
  let failure: Error | undefined;
  let readFailure: Error | undefined;
  let lockTail = Promise.resolve();

  const read = (key: string): Json | undefined => {
    const text = texts.get(key);
    return text === undefined ? undefined : (JSON.parse(text) as Json);
  };
  const write = (key: string, value: Json): void => {
    texts.set(key, JSON.stringify(value));
  };

  function mount(life: Life): { store: Store; unmount: () => void } {
    const over = createDeferred();
    const alive = async <T>(value: T): Promise<T> => (life.isOver() ? new Promise<T>(() => {}) : value);

    const store: Store = {
      read: async (key) => {
        if (readFailure !== undefined) throw readFailure;
        return alive(read(key));
      },
      readAll: async () =>
        alive(Object.fromEntries([...texts.keys()].map((key) => [key, read(key) ?? null]))),
      remove: async (keys) => {
        if (!life.isOver()) for (const key of keys) texts.delete(key);
        return alive(undefined);
      },
      write: async (entries) => {
        life.pass('before-commit');
        if (life.isOver()) return alive(undefined);
        if (failure !== undefined) throw failure;
        for (const [key, value] of Object.entries(entries)) write(key, value);
        life.pass('after-commit');
        return alive(undefined);
      },
      lock: async (work) => {
        // A worker that asks in its first script is there to die only after it.
        await Promise.resolve();
        life.pass('before-lock');
        const before = lockTail;
        const done = createDeferred();
        // Of a worker that died while it waited, the turn is over when those before it are.
        lockTail = before.then(() => Promise.race([done.promise, over.promise])).then(() => undefined);
        try {
          await before;
          life.pass('in-lock');
          await alive(undefined);
          return await work();
        } finally {
          done.resolve();
        }
      },
    };
    return { store, unmount: over.resolve };
  }

  return {
    mount,
    read,
    write,
    keys: () => [...texts.keys()],
    failWrites: (error) => {
      failure = error;
    },
    failReads: (error) => {
      readFailure = error;
    },
  };
}
