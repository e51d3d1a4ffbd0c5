import { BACKGROUND } from '../callers.ts';
import { DEFAULT_TIMEOUT, sleep } from '../deadline.ts';
import { CallError, copyInput, type Delivery, type ErrorReport, type ProcedureError } from '../errors.ts';
import type { Json } from '../json.ts';
import type { Procedures } from '../procedures.ts';
import { EVENT, EVENT_LIFE } from '../state/journal.ts';
import { createReliableStore, type Store } from '../state/store.ts';
import { answerCall, authorize, type CallServer, openCall, type Settled } from './call.ts';

/** A mutation of the background itself, as it is stored until it has been carried out. */
interface Note {
  readonly name: string;
  readonly input?: Json | undefined;
  readonly key?: string | undefined;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** A mutation and its note. */
interface Noted {
  readonly noteKey: string;
  readonly note: Note;
  /** More than 1 if an earlier background has noted the mutation, or if it is tried again. */
  readonly attempt: number;
  /** Settles the promise of a mutation that this background has made. Only the first call counts. */
  readonly settle: (settled: Settled, delivery: Delivery) => void;
}

const INBOX = 'inbox/';

/** The key of a flag. If it is `true`, a new background looks for notes at once, and otherwise only before its first mutation. */
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
 * Carries out the mutations of the background itself, each once and in the order of the calls.
 *
 * ```
 *   mutate ─▶ note written ─▶ its turn ─┬─▶ one write: state, and the note is gone ─▶ value
 *                │                      ├─▶ error: logged, and the note is removed ─▶ CallError
 *                │                      └─▶ the store cannot be read: the mutation keeps its turn, and is tried again
 *                └─ the background dies ─▶ the next one finds the note, and carries it out before its own
 * ```
 */
export function createInbox(server: CallServer, store: Store) {
  const { procedures, log } = server;
  const reliable = createReliableStore(store);
  /** Prefix of the keys of this background's notes. Sorted by key, notes are in the order of backgrounds, then of calls. */
  const prefix = `${INBOX}${toDigits(Date.now())}-${crypto.randomUUID()}-`;
  let made = 0;
  /** Number of unfinished notes. The search for notes of earlier backgrounds counts as one. */
  let unfinished = 0;
  /** Resolves when all mutations made so far have had their turn. Those of earlier backgrounds come first. */
  let turn: Promise<void> | undefined;

  function mutate(name: string, input?: unknown, options: EventOptions = {}): Promise<Json | undefined> {
    return new Promise((resolve, reject) => {
      // Few listeners can handle an error, so it is logged as well.
      const refuse = (error: CallError): void => {
        log(error);
        reject(error);
      };
      let note: Note;
      try {
        note = createNote(procedures, name, input, options);
      } catch (error) {
        return refuse(error as CallError);
      }
      made += 1;
      unfinished += 1;
      const noteKey = prefix + toDigits(made);
      const noting = writeNote(noteKey, note).then(
        () => true,
        (error: unknown) => {
          const { report } = error as ProcedureError;
          const isGone = report.code === 'NOT_STORED';
          if (isGone) forget();
          refuse(new CallError(name, report, isGone ? 'not-sent' : 'unknown'));
          return false;
        },
      );
      const settle: Noted['settle'] = (settled, delivery) => {
        if ('error' in settled) reject(new CallError(name, settled.error, delivery));
        else resolve(settled.value);
      };
      const takeTurn = async (): Promise<void> => {
        if (await noting) await carryOut({ noteKey, note, attempt: 1, settle });
      };
      turn = (turn ?? carryOutEarlier()).then(takeTurn).catch((error: unknown) => void log(error));
    });
  }

  function writeNote(noteKey: string, note: Note): Promise<void> {
    const isWritten = async (): Promise<boolean> => (await reliable.read([noteKey]))[noteKey] !== undefined;
    return reliable.write({ [noteKey]: toText(note), [HAS_NOTES]: true }, isWritten);
  }

  /** Carries out the notes of earlier backgrounds. */
  async function carryOutEarlier(): Promise<void> {
    unfinished += 1;
    const left = await findNotes();
    unfinished += left.length;
    for (const noted of left) await carryOut(noted);
    forget();
  }

  async function findNotes(): Promise<readonly Noted[]> {
    try {
      const left = (await reliable.list(INBOX)).filter((noteKey) => !noteKey.startsWith(prefix));
      const notes = await reliable.read(left);
      // Another background may have carried out a note since they were listed.
      return Object.keys(notes).flatMap((noteKey) => {
        const note = parseNote(notes[noteKey]);
        if (note !== undefined) return [{ noteKey, note, attempt: 2, settle: () => {} }];
        // The note stays in the store and unfinished, because a newer version may have written it.
        unfinished += 1;
        log(new TypeError(`The note ${noteKey} cannot be read.`));
        return [];
      });
    } catch (error) {
      log(error);
      await sleep(RETRY);
      return findNotes();
    }
  }

  async function carryOut(noted: Noted): Promise<void> {
    const { noteKey, note, attempt } = noted;
    const { name, input, key } = note;
    const call = openCall(server, {
      caller: BACKGROUND,
      kind: 'mutation',
      name,
      input,
      attempt,
      timeout: DEFAULT_TIMEOUT,
      note: noteKey,
      ...(key !== undefined && { identity: { source: `${EVENT}${name}/${key}`, id: 1, name } }),
    });
    if (isTooOld(note)) call.abort({ code: 'TIMEOUT' });
    const settled = await answerCall(server, call);
    call.end(settled);
    return finish(noted, settled);
  }

  async function finish(noted: Noted, settled: Settled): Promise<void> {
    const { noteKey, note, attempt, settle } = noted;
    const error = 'error' in settled ? settled.error : undefined;
    const code = error?.code;
    if (error !== undefined && error.incident === undefined) log(new CallError(note.name, error, 'handled'));

    // The store could not be read. The next attempt checks whether a write took place.
    if (code === 'NOT_READ' || code === 'DISCONNECTED') {
      settle(settled, 'unknown');
      await sleep(RETRY);
      return carryOut({ ...noted, attempt: attempt + 1 });
    }
    // Nothing waits for this mutation any more, so its note is left for the next background.
    if ((code === 'NOT_STORED' || code === 'TIMEOUT') && attempt > 1 && !isTooOld(note)) return;

    // The write of a change has already removed the note.
    const isRemoved = error === undefined || (await removeNote(noteKey));
    if (isRemoved) forget();
    // Without a key, `ABORTED` means that the note was gone: another background has carried it out.
    const isGone = code === 'ABORTED' && note.key === undefined;
    settle(settled, isRemoved && !isGone ? 'handled' : 'unknown');
  }

  /** Returns `false` if the note may still be in the store, where the next background finds it. */
  async function removeNote(noteKey: string): Promise<boolean> {
    const isGone = async (): Promise<boolean> => (await reliable.read([noteKey]))[noteKey] === undefined;
    try {
      await reliable.write({ [noteKey]: null }, isGone);
      return true;
    } catch (error) {
      log(error);
      return false;
    }
  }

  /** Called for each note that is no longer in the store, and at the end of the search. Resets the flag after the last. */
  function forget(): void {
    unfinished -= 1;
    // This write is not tried again, because it could follow the write of a later note.
    if (unfinished === 0) store.write({ [HAS_NOTES]: false }).catch(() => {});
  }

  return {
    mutate,
    /** Carries out the notes of earlier backgrounds, if there are any. */
    resume: async (): Promise<void> => {
      try {
        const { [HAS_NOTES]: hasNotes } = await reliable.read([HAS_NOTES]);
        if (hasNotes !== true) return;
      } catch (error) {
        log(error);
      }
      turn ??= carryOutEarlier();
    },
  };
}

/** @throws CallError if the background may not make the mutation, or if its input or key is not valid */
function createNote(procedures: Procedures, name: string, input: unknown, { key }: EventOptions): Note {
  const fail = (report: ErrorReport): CallError => new CallError(name, report, 'not-sent');
  try {
    authorize(procedures, { kind: 'mutation', name, caller: BACKGROUND });
  } catch (error) {
    throw fail((error as ProcedureError).report);
  }
  const isKey = typeof key === 'string' && key.length > 0 && key.length <= MAX_KEY && key.isWellFormed();
  if (key !== undefined && !isKey) {
    const issues = [{ path: 'key', message: `must be a string of 1 to ${MAX_KEY} characters` }];
    throw fail({ code: 'INVALID_INPUT', issues });
  }
  return { name, input: copyInput(name, input), key, at: Date.now() };
}

/** Returns a number as text that sorts like the number. */
const toDigits = (number: number): string => String(number).padStart(15, '0');

const isTooOld = ({ at }: Note): boolean => Math.abs(Date.now() - at) >= EVENT_LIFE;

/**
 * Returns a note as text. Firefox reads the values of a write milliseconds after the call. If the background has died by then,
 * objects are lost (403 of 1,000 notes were), but text is not.
 */
const toText = (note: Note): string => JSON.stringify(note);

function parseNote(stored: unknown): Note | undefined {
  try {
    const note = JSON.parse(String(stored)) as Partial<Note> | null;
    return typeof note?.name === 'string' && typeof note.at === 'number' ? (note as Note) : undefined;
  } catch {
    return undefined;
  }
}
