import { BACKGROUND } from '../callers.ts';
import { DEFAULT_TIMEOUT } from '../deadline.ts';
import { CallError, type Delivery, ProcedureError } from '../errors.ts';
import { copyJson, type Json, type JsonError } from '../json.ts';
import { EVENT, EVENT_LIFE } from '../state/journal.ts';
import { createReliableStore, type Entries, type Store } from '../state/store.ts';
import { answerCall, authorize, type Call, type CallServer, type Settled } from './call.ts';
import type { Observe } from './session.ts';

/** A mutation of the background itself, as it is stored until it has been carried out. */
interface Note {
  readonly name: string;
  readonly input?: Json;
  readonly key?: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Set when an external effect may have happened. */
  readonly hasBegun?: boolean;
}

/** A mutation that waits for its turn. */
interface Waiting {
  readonly noteKey: string;
  readonly note: Note;
  /** Resolves to `true` when the note is in the store, and to `false` if it could not be written. */
  readonly isNoted: Promise<boolean>;
  /** More than 1 if an earlier background has noted the mutation, or if it is tried again. */
  readonly attempt: number;
  readonly settle: (settled: Settled, delivery: Delivery) => void;
}

const INBOX = 'inbox/';

/** The key that says whether there may be notes. A background that starts reads nothing else. */
const HAS_NOTES = 'inbox';

/** Milliseconds until a store that could not be read is tried again. */
const RETRY = 5_000;

/** Maximum length of a key, in characters. */
const MAX_KEY = 100;

export interface EventOptions {
  /** 1 to 100 characters. A procedure takes effect once for each key; the key is kept for a week. */
  readonly key?: string;
}

/**
 * Carries out the mutations of the background itself, each exactly once and in the order of the calls.
 *
 * ```
 *   mutate ─▶ note written ─▶ its turn ─┬─▶ one write: state, and the note is gone ─▶ value
 *                │                      ├─▶ error: logged, and the note is removed ─▶ CallError
 *                │                      └─▶ the store cannot be read: it keeps its turn, and is tried again
 *                └─ the background dies ─▶ the next one finds the note, and carries it out before its own
 * ```
 */
export function createInbox(server: CallServer, store: Store, observe: Observe = () => undefined) {
  const { contract, state, log } = server;
  const reliable = createReliableStore(store);
  const queue: Waiting[] = [];
  /** Keys of the notes that this background knows and has not finished. */
  const known = new Set<string>();
  let hasLookedBack = false;
  let isWorking = false;
  let lastAt = 0;
  let count = 0;

  function mutate(name: string, input?: unknown, options: EventOptions = {}): Promise<Json> {
    return new Promise((resolve, reject) => {
      // The listener of an event has nobody to report an error to, so errors are logged as well.
      const refuse = (error: CallError): void => {
        log(error);
        reject(error);
      };
      let note: Note;
      try {
        note = createNote(name, input, options);
        authorizeNote(note);
      } catch (error) {
        return refuse(error as CallError);
      }
      const noteKey = nextNoteKey();
      known.add(noteKey);
      const isNoted = writeNote(noteKey, note).then(
        () => true,
        (error: unknown) => {
          known.delete(noteKey);
          const { report } = error as ProcedureError;
          refuse(new CallError(name, report, report.code === 'NOT_STORED' ? 'not-sent' : 'unknown'));
          return false;
        },
      );
      const settle: Waiting['settle'] = (settled, delivery) => {
        if ('value' in settled) resolve(settled.value);
        else reject(new CallError(name, settled.error, delivery));
      };
      queue.push({ noteKey, note, isNoted, attempt: 1, settle });
      void work();
    });
  }

  function authorizeNote({ name }: Note): void {
    try {
      authorize(contract, { kind: 'mutation', name, caller: BACKGROUND });
    } catch (error) {
      throw new CallError(name, (error as ProcedureError).report, 'not-sent');
    }
  }

  /** Returns a key that comes after all other keys of this background. */
  function nextNoteKey(): string {
    lastAt = Math.max(lastAt, Date.now());
    count += 1;
    const [at, number] = [String(lastAt).padStart(15, '0'), String(count).padStart(9, '0')];
    return `${INBOX}${at}-${number}-${crypto.randomUUID()}`;
  }

  async function writeNote(noteKey: string, note: Note): Promise<void> {
    const entries: Entries = { [noteKey]: toText(note), [HAS_NOTES]: true };
    await reliable.write(entries, async () => (await reliable.read([noteKey]))[noteKey] !== undefined);
  }

  /** Carries out all notes, one after the other. */
  async function work(): Promise<void> {
    if (isWorking) return;
    isWorking = true;
    let isReadable = true;
    try {
      if (!hasLookedBack) await lookBack();
      while (isReadable && queue.length > 0) {
        const [next] = queue.splice(0, 1) as [Waiting];
        if (await next.isNoted) isReadable = await carryOut(next);
        if (!isReadable) queue.unshift({ ...next, attempt: next.attempt + 1, settle: () => {} });
      }
    } catch (error) {
      isReadable = false;
      log(error);
    }
    isWorking = false;
    if (!isReadable) setTimeout(() => void work(), RETRY);
    // This write is not tried again, because a later note may have been written by then.
    else if (known.size === 0) store.write({ [HAS_NOTES]: false }).catch(() => {});
  }

  /** Adds the notes of earlier backgrounds. They come before this background's own. */
  async function lookBack(): Promise<void> {
    const left = (await reliable.list(INBOX)).filter((noteKey) => !known.has(noteKey));
    const notes = await reliable.read(left);
    const waiting = left.flatMap((noteKey): Waiting[] => {
      const note = parseNote(notes[noteKey]);
      if (note === undefined) {
        // It stays, since a newer version may have written it.
        log(new TypeError(`The note ${noteKey} cannot be read.`));
        return [];
      }
      known.add(noteKey);
      return [{ noteKey, note, isNoted: Promise.resolve(true), attempt: 2, settle: () => {} }];
    });
    queue.unshift(...waiting);
    hasLookedBack = true;
  }

  /** Returns `false` if the store could not be read: then the mutation keeps its turn. */
  async function carryOut(waiting: Waiting): Promise<boolean> {
    const { noteKey, note, attempt } = waiting;
    const { name, input, key } = note;
    const isExternal = Object.hasOwn(contract, name) && contract[name]?.effect === 'external';
    const controller = new AbortController();
    const { signal } = controller;
    const abort = (): void => controller.abort(new ProcedureError({ code: 'TIMEOUT' }));
    const timer = setTimeout(abort, DEFAULT_TIMEOUT);
    if (isTooOld(note)) abort();
    const onEnd = observe({ caller: BACKGROUND.name, kind: 'mutation', name, attempts: attempt });
    const call: Call = {
      caller: BACKGROUND,
      kind: 'mutation',
      name,
      input,
      attempt: note.hasBegun === true ? 2 : 1,
      note: noteKey,
      signal,
      checkDeadline: () => signal.throwIfAborted(),
      ...(key !== undefined && { identity: { source: `${EVENT}${name}/${key}`, id: 1, name } }),
    };

    const run = async (): Promise<boolean> => {
      const settled = await answerCall(server, call);
      clearTimeout(timer);
      const error = 'error' in settled ? settled.error : undefined;
      onEnd?.(error?.code ?? 'value', error?.incident);
      return finish(waiting, settled, isExternal);
    };
    if (!isExternal || note.hasBegun === true || signal.aborted) return run();

    try {
      await state.begin(call.identity, { [noteKey]: toText({ ...note, hasBegun: true }) });
    } catch (error) {
      clearTimeout(timer);
      const { report } = error as ProcedureError;
      onEnd?.(report.code);
      return finish(waiting, { error: report }, isExternal);
    }
    // An external effect may take long, so only its beginning keeps the order of the calls.
    void run();
    return true;
  }

  async function finish(
    { noteKey, note, attempt, settle }: Waiting,
    settled: Settled,
    isExternal: boolean,
  ): Promise<boolean> {
    const error = 'error' in settled ? settled.error : undefined;
    if (error !== undefined && error.incident === undefined) log(new CallError(note.name, error, 'handled'));
    // The next attempt finds out whether the write was done.
    if (error?.code === 'NOT_READ' || (error?.code === 'DISCONNECTED' && !isExternal)) {
      settle(settled, 'unknown');
      return false;
    }
    // No caller waits for an event of an earlier background. If it is refused, the note is left for the next background.
    const isRefused = error?.code === 'NOT_STORED' || error?.code === 'TIMEOUT';
    if (isRefused && attempt > 1 && !isTooOld(note)) return true;

    // A note that is gone was carried out by another background.
    const isInDoubt = error?.code === 'DISCONNECTED' || (error?.code === 'ABORTED' && note.key === undefined);
    let delivery: Delivery = isInDoubt ? 'unknown' : 'handled';
    if (error !== undefined || isExternal) {
      const isGone = async (): Promise<boolean> => (await reliable.read([noteKey]))[noteKey] === undefined;
      await reliable.write({ [noteKey]: null }, isGone).catch((cause: unknown) => {
        // The next background finds the note.
        delivery = 'unknown';
        log(cause);
      });
    }
    known.delete(noteKey);
    settle(settled, delivery);
    return true;
  }

  return {
    mutate,
    /** Carries out the notes of earlier backgrounds, if there are any. */
    resume: async (): Promise<void> => {
      try {
        const { [HAS_NOTES]: hasNotes } = await reliable.read([HAS_NOTES]);
        if (hasNotes === true) await work();
      } catch (error) {
        log(error);
        setTimeout(() => void work(), RETRY);
      }
    },
  };
}

/** @throws CallError for an input or a key that cannot be noted */
function createNote(name: string, input: unknown, { key }: EventOptions): Note {
  if (
    key !== undefined &&
    (typeof key !== 'string' || key.length === 0 || key.length > MAX_KEY || !key.isWellFormed())
  ) {
    const issues = [{ path: 'key', message: `must be a text of 1 to ${MAX_KEY} characters` }];
    throw new CallError(name, { code: 'INVALID_INPUT', issues }, 'not-sent');
  }
  try {
    const copied = input === undefined ? {} : { input: copyJson(input) };
    return { name, at: Date.now(), ...copied, ...(key !== undefined && { key }) };
  } catch (error) {
    throw new CallError(name, error as JsonError, 'not-sent');
  }
}

const isTooOld = ({ at }: Note): boolean => Math.abs(Date.now() - at) >= EVENT_LIFE;

/**
 * Notes are stored as text. Firefox reads the values of a write some ms after the call. If the background has died by then,
 * objects are gone (403 of 1,000 notes were lost), and text is still there.
 */
const toText = (note: Note): string => JSON.stringify(note);

function parseNote(stored: unknown): Note | undefined {
  try {
    const value: unknown = JSON.parse(String(stored));
    const isNote = typeof value === 'object' && value !== null && 'name' in value && 'at' in value;
    return isNote ? (value as Note) : undefined;
  } catch {
    return undefined;
  }
}
