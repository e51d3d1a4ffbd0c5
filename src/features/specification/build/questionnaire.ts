import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { CommandError, runCommand } from '../../../../scripts/command.ts';
import { projectFolder } from '../../../../scripts/project-folder.ts';
import type { Progress } from '../spec-gaps.ts';
import { mergeAnswers } from './merge-answers.ts';
import { parseSpecGaps } from './parse-spec-gaps.ts';
import { isWhole, parseQuestions } from './read-questions.ts';

// npm run questionnaire [-- <file> [--write]]: checks a questionnaire or a part of one, by default SPEC_GAPS.md.
// With --write, it moves the answers of the file into SPEC_GAPS.md.
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { write: { type: 'boolean', default: false } },
});
const OWN = 'SPEC_GAPS.md';

await runCommand(async () => {
  const [name = OWN] = positionals;
  const path = name === OWN ? join(projectFolder, OWN) : name;
  if (!existsSync(path)) throw new CommandError(`There is no file ${name}.`);
  const markdown = await readFile(path, 'utf8');
  if (values.write) await write(markdown, name);
  else check(markdown, name);
});

function check(markdown: string, name: string): void {
  const whole = name === OWN || isWhole(markdown, name) ? parse(markdown, name) : undefined;
  const questions = parseQuestions(markdown, name);
  const answered = questions.filter(({ answer }) => answer.length > 0).length;
  console.log(`${name}: ${describe({ answered, total: questions.length })}`);
  if (whole) {
    console.log(`  to start with: ${describe(whole.start)}`);
    for (const { role, ...progress } of whole.progressByRole) console.log(`  ${role}: ${describe(progress)}`);
  }
  if (name !== OWN) console.log(`Add --write to move its answers into ${OWN}.`);
  const begun = questions.filter(({ answer, answered: text }) => answer.length === 0 && text !== '');
  if (begun.length > 0) console.log(`Started but not answered: ${begun.map(({ id }) => id).join(', ')}`);
}

async function write(returned: string, name: string): Promise<void> {
  const path = join(projectFolder, OWN);
  const { markdown, moved } = mergeAnswers(await readFile(path, 'utf8'), returned, name);
  parse(markdown, OWN);
  await writeFile(path, markdown);
  console.log(`Answers moved into ${OWN}: ${moved.length === 0 ? 'none' : moved.join(', ')}`);
}

function parse(markdown: string, name: string) {
  return parseSpecGaps(markdown, (path) => existsSync(join(projectFolder, path)), name);
}

function describe({ answered, total }: Progress): string {
  return `${answered} of ${total} answered`;
}
