/*
 * A background without the messaging core, for tests that show what the browser itself guarantees.
 */

/** The contents of both stores by key. */
export type Contents = Readonly<Record<'storage.local' | 'IndexedDB', Readonly<Record<string, unknown>>>>;

/** A background, as it describes itself. */
export interface Background {
  readonly id: string;
  /** Time of its first line, in ms since 1970. */
  readonly startedAt: number;
  /** Its first read, which it calls in its first lines. */
  readonly first: Contents;
}

const id = crypto.randomUUID();
const startedAt = Date.now();
const { local } = chrome.storage;
const database = openDatabase();
const first = read();

/** Number of writes that a background begins before it waits for one. Some are therefore always under way. */
const AT_ONCE = 8;

/** Actions of this background, by the name that a page sends. */
const actions = {
  read,
  describe: async (): Promise<Background> => ({ id, startedAt, first: await first }),
  /** Writes one text in each store again and again. */
  count: async () => {
    const now = (n: number): string => `${n} at ${Date.now()}`;
    await Promise.all([
      repeat((n) => local.set({ [`count/${id}`]: now(n) })),
      repeat((n) => put(`count/${id}`, now(n))),
    ]);
  },
  /** Blocks this thread. */
  loop: (ms: number) => {
    const end = Date.now() + ms;
    while (Date.now() < end);
  },
  /** Each write has four keys with the same number, whose 100 kB are more than a block of any store. */
  writeFour: () => {
    const padding = 'x'.repeat(100_000);
    return repeat((n) => {
      const text = `${n} ${padding}`;
      return local.set({ 'four/1': text, 'four/2': text, 'four/3': text, 'four/4': text });
    });
  },
  /** Every second write has an object beside a text. */
  writeKinds: () =>
    repeat((n) =>
      local.set(
        n % 2 === 1
          ? { [`${id}/${n}/text`]: String(n) }
          : { [`${id}/${n}/object`]: { n }, [`${id}/${n}/beside`]: String(n) },
      ),
    ),
  /** Calls without waiting. Returns what each `get` saw. */
  callInTurn: async (value: unknown) => {
    const calls = [
      local.set({ turn: value }),
      local.get('turn'),
      local.set({ turn: 'second' }),
      local.get('turn'),
      local.remove('turn'),
      local.get('turn'),
    ];
    const [, afterSet, , afterSecond, , afterRemove] = await Promise.all(calls);
    return [afterSet, afterSecond, afterRemove];
  },
  clear: () => local.clear(),
  set: (values: Record<string, unknown>) =>
    local.set(values).then(
      () => 'stored',
      (error: unknown) => String(error),
    ),
};

chrome.runtime.onMessage.addListener((message, _sender, respond) => {
  const { name, input } = message as { readonly name: keyof typeof actions; readonly input?: never };
  // After an installation, Firefox may reorder the calls that are made before the first read has returned, because it
  // carries out the writes among them in another process.
  void first.then((): unknown => actions[name](input as never)).then(respond);
  return true;
});
// The port of a page also starts the background that writes next.
chrome.runtime.onConnect.addListener(() => {});

/** Writes until this background dies. Resolves after the first write. */
async function repeat(write: (n: number) => Promise<unknown>): Promise<void> {
  await write(1);
  void writeOn();

  async function writeOn(): Promise<never> {
    for (let n = 2; ; n += 1) {
      const written = write(n);
      if (n % AT_ONCE === 0) await written;
    }
  }
}

/** Reads both stores. Both reads begin before this returns, if the database is open. */
async function read(): Promise<Contents> {
  const [texts, records] = await Promise.all([local.get(null), getAll()]);
  return { 'storage.local': texts, IndexedDB: records };
}

function openDatabase(): Promise<IDBDatabase> {
  const request = indexedDB.open('facts', 1);
  request.addEventListener('upgradeneeded', () => request.result.createObjectStore('texts'));
  return settled(request);
}

async function put(key: string, text: string): Promise<void> {
  await settled((await database).transaction('texts', 'readwrite').objectStore('texts').put(text, key));
}

async function getAll(): Promise<Record<string, unknown>> {
  const texts = (await database).transaction('texts').objectStore('texts');
  const [keys, values] = await Promise.all([settled(texts.getAllKeys()), settled(texts.getAll())]);
  return Object.fromEntries(keys.map((key, index) => [String(key), values[index] as unknown]));
}

function settled<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () =>
      reject(new Error('IndexedDB has failed', { cause: request.error })),
    );
  });
}
