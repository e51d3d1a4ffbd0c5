import { spawnSync } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { linkPackages } from '../../../../support/project-copy.ts';
import { writeFiles } from '../../../../support/temporary-folder.ts';
import { withoutAnswers } from '../../without-answers.ts';

const COMMAND = 'src/features/specification/build/questionnaire.ts';
const ANSWER =
  '**1.6** (owner) What is it called, and who publishes it?\n\nAnswer: Kiosk\n\nBest regards,\nAnna\n';
let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'questionnaire-'));
  for (const path of ['src/features/specification', 'scripts', 'package.json'])
    await cp(path, join(folder, path), { recursive: true });
  await linkPackages(folder);
  await writeFiles(folder, {
    'SPEC_GAPS.md': withoutAnswers,
    'utf-16.md': Buffer.from(ANSWER, 'utf16le'),
    'windows.md': Buffer.from(`${ANSWER}Caf\xE9`, 'latin1'),
    'textedit.rtf': `{\\rtf1\\ansi\n${ANSWER}}`,
    'letter.md': 'Hello',
    'later.md': ANSWER.replace(/Kiosk[^]*/u, 'Later, ask Anna\n'),
    'answer.md': ANSWER,
    'other.md': ANSWER.replace('Kiosk', 'Stand'),
    'quoted.md': ANSWER.replaceAll(/^/gmu, '> '),
  });
});

afterAll(() => rm(folder, { recursive: true, force: true }));

it.each([
  [
    'a missing file',
    'nothing.md',
    /^There is no file nothing\.md\. Type npm run questionnaire -- <file>… .*\n$/,
  ],
  ['a folder', 'scripts', /^scripts is a folder\. Type the names of its files\.\n$/],
  ['UTF-16', 'utf-16.md', /^utf-16\.md is not plain text in UTF-8\. Save it as plain text in UTF-8.*\n$/],
  ['RTF', 'textedit.rtf', /^textedit\.rtf is not plain text in UTF-8\. .*\n$/],
  ['an encoding of Windows', 'windows.md', /^windows\.md is not plain text in UTF-8\. .*\n$/],
  ['a letter', 'letter.md', /^letter\.md has no question\. .* as in \*\*1\.2\*\* \(owner\) .*\n$/],
  ['a mistyped option', 'answer.md --wirte', /^Unknown option '--wirte'\. Type npm run questionnaire.*\n$/],
  ['a quoted file', 'answer.md quoted.md --write', /^quoted\.md:1: A mail program.* Delete.*\n$/],
])('refuses %s without a stack, and changes nothing', async (_what, args, message) => {
  const before = await readFile(join(folder, 'SPEC_GAPS.md'), 'utf8');

  const { code, output } = run(args);

  expect(output).toMatch(message);
  expect(code).toBe(1);
  expect(await readFile(join(folder, 'SPEC_GAPS.md'), 'utf8')).toBe(before);
});

it('lists what it takes, writes it only with --write, and leaves no other file', async () => {
  const before = await readFile(join(folder, 'SPEC_GAPS.md'), 'utf8');
  const files = await readdir(folder);

  const checked = run('answer.md');
  const unchanged = await readFile(join(folder, 'SPEC_GAPS.md'), 'utf8');
  const written = run('answer.md --write');
  const differing = run('answer.md other.md --write');
  const replaced = run('other.md --write --replace');

  const taken = '1.6 Kiosk / Best regards, / Anna (answer.md:1)';
  expect(checked.output).toContain(`Add --write to write them:\n  ${taken}`);
  expect(unchanged).toBe(before);
  expect(written.output).toContain(`Written into SPEC_GAPS.md:\n  ${taken}`);
  expect(differing.output).toMatch(
    /Add --replace .*\n {2}1\.6 old: Kiosk .*\n {2}1\.6 new: Stand .*\n\nThere is no new answer\./,
  );
  expect(replaced.code).toBe(0);
  expect(await readFile(join(folder, 'SPEC_GAPS.md'), 'utf8')).toBe(
    before.replace(/(?<=\*\*1\.6\*\*.*\n\nAnswer:)/u, ' Stand\n\nBest regards,\nAnna'),
  );
  expect(await readdir(folder)).toEqual(files);
});

it('lists an answer that may be open once, keeps it as typed, and counts it', async () => {
  const before = await readFile(join(folder, 'SPEC_GAPS.md'), 'utf8');
  const list = 'These answers may be open. They count as answers:\n  1.6 Later, ask Anna\n';
  try {
    const checked = run('later.md --replace');
    const written = run('later.md --write --replace');
    const counted = run('');

    for (const { output } of [checked, written, counted]) expect(output.split(list)).toHaveLength(2);
    expect(counted.output).toMatch(/SPEC_GAPS\.md: 1 of \d+ questions are answered\./);
    expect(await readFile(join(folder, 'SPEC_GAPS.md'), 'utf8')).toContain('Answer: Later, ask Anna\n');
  } finally {
    await writeFiles(folder, { 'SPEC_GAPS.md': before });
  }
});

/** Runs the command in the copy. Returns its exit code, and what it prints. */
function run(args: string) {
  const command = ['--import', 'tsx', COMMAND, ...args.split(' ').filter(Boolean)];
  const { status, stdout, stderr } = spawnSync(process.execPath, command, { cwd: folder, encoding: 'utf8' });
  return { code: status, output: stdout + stderr };
}
