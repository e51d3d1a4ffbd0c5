import { isUtf8 } from 'node:buffer';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { mayBeOpen, progressOf } from '../spec-gaps.ts';
import { parseSpecGaps } from './parse-spec-gaps.ts';
import { type Part, QuestionnaireError, readQuestionnaire } from './read-questionnaire.ts';
import { type GivenAnswer, takeAnswers } from './take-answers.ts';

const OWN = 'SPEC_GAPS.md';
const USAGE = 'npm run questionnaire -- <file>… [--write] [--replace]';

// npm run questionnaire [-- <file>… [--write] [--replace]]: lists the answers in returned files and the text that is not
// taken. With --write, it writes the answers into SPEC_GAPS.md; with --replace, also those that differ from answers there.
await takeReturned().catch((error: unknown) => {
  console.error(error instanceof Error ? error.stack : error);
  process.exitCode = 1;
});

async function takeReturned(): Promise<void> {
  const { values, positionals } = readArguments();
  const path = fileURLToPath(new URL('../../../../SPEC_GAPS.md', import.meta.url));
  const present = await readText(path, OWN);
  parseSpecGaps(present);
  const returned = await Promise.all(positionals.map(readReturned));
  const result = takeAnswers(readQuestionnaire(present, OWN), returned.flat(), values.replace);
  const { taken, different, unknown, notTaken } = result;
  const markdown = values.write && taken.length > 0 ? result.markdown : present;
  if (markdown !== present) await replaceFile(path, markdown);

  print(
    values.write ? `Written into ${OWN}:` : 'These answers can be taken. Add --write to write them:',
    taken.map(describe),
  );
  print(
    values.replace
      ? 'These answers replace other ones:'
      : 'These questions have other answers already. Add --replace to take the new ones:',
    different.flatMap(({ id, old, text, place }) => [
      `${id} old: ${shorten(old.text)} (${old.place})`,
      `${id} new: ${shorten(text)} (${place})`,
    ]),
  );
  print(
    `${OWN} does not have these questions. To add one, type it there below the last question of its point:`,
    unknown.map(describe),
  );
  print(
    'This text was not taken, because it is not below "Answer:", or leaves its question open:',
    notTaken.map(({ place, text }) => `${place}: ${shorten(text)}`),
  );
  const withTaken = parseSpecGaps(taken.length > 0 ? result.markdown : present);
  print(
    'These answers may be open. They count as answers:',
    withTaken
      .flatMap(({ questions }) => questions)
      .filter(({ answer }) => mayBeOpen(answer))
      .map(({ id, answer }) => `${id} ${shorten(answer)}`),
  );
  if (returned.length > 0 && taken.length === 0) console.log('There is no new answer.');
  const { answered, total } = progressOf(parseSpecGaps(markdown));
  console.log(`${OWN}: ${answered} of ${total} questions are answered.`);
}

function readArguments() {
  try {
    const flag = { type: 'boolean', default: false } as const;
    return parseArgs({ allowPositionals: true, options: { write: flag, replace: flag } });
  } catch (error) {
    const [wrong] = String(error instanceof Error ? error.message : error).split('. ');
    throw new QuestionnaireError(`${wrong}. Type ${USAGE}`);
  }
}

async function readReturned(name: string): Promise<readonly Part[]> {
  const parts = readQuestionnaire(await readText(name, name), name);
  if (parts.some(({ question }) => question)) return parts;
  throw new QuestionnaireError(
    `${name} has no question. A question begins a line, as in **1.2** (owner) What is it called?`,
  );
}

async function readText(path: string, name: string): Promise<string> {
  const bytes = await readFile(path).catch((error: unknown) => {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') throw new QuestionnaireError(`There is no file ${name}. Type ${USAGE}`);
    if (code === 'EISDIR') throw new QuestionnaireError(`${name} is a folder. Type the names of its files.`);
    throw new QuestionnaireError(`${name} cannot be read (${code}).`);
  });
  const text = bytes.toString();
  // Text in UTF-16 has zero bytes.
  if (isUtf8(bytes) && !bytes.includes(0) && !text.startsWith('{\\rtf')) return text;
  throw new QuestionnaireError(
    `${name} is not plain text in UTF-8. Save it as plain text in UTF-8, and try again.`,
  );
}

/** Replaces a file in one step, so that it is never half written. */
async function replaceFile(path: string, text: string): Promise<void> {
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    await writeFile(temporary, text);
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    const { code } = error as NodeJS.ErrnoException;
    throw new QuestionnaireError(`${OWN} cannot be written (${code}). It is unchanged.`);
  }
}

function print(heading: string, lines: readonly string[]): void {
  if (lines.length > 0) console.log([heading, ...lines.map((line) => `  ${line}`), ''].join('\n'));
}

function describe({ id, place, text }: GivenAnswer): string {
  return `${id} ${shorten(text)} (${place})`;
}

/** Returns the first and the last words of a text in one line, because a signature below an answer is part of it. */
function shorten(text: string): string {
  const line = text.trim().replaceAll(/\s*\n\s*/gu, ' / ');
  if (line.length <= 90) return line;
  return `${line.slice(0, 60)} … ${line.slice(-30)} (${line.length} characters)`.toWellFormed();
}
