import { join } from 'node:path';
import * as v from 'valibot';
import { expect, it } from 'vitest';

import { packageFile, packagesFolder } from '../../scripts/package-project.ts';
import { projectFolder } from '../../scripts/project-folder.ts';
import { runInCopy } from '../support/project-copy.ts';

const Message = v.object({ code: v.string(), message: v.string(), file: v.optional(v.string()) });
const Report = v.object({
  errors: v.array(Message),
  warnings: v.array(Message),
  notices: v.array(Message),
});

it('has only two linter warnings: the places where react-dom writes markup', async () => {
  const zip = join(packagesFolder, packageFile('firefox'));

  const output = await runInCopy(projectFolder, 'addons-linter/bin/addons-linter', '--output=json', zip);
  const { errors, warnings, notices } = v.parse(Report, JSON.parse(output));

  expect(errors).toEqual([]);
  expect(notices).toEqual([]);
  expect(warnings.map(({ code, message }) => `${code}: ${message}`)).toEqual([
    'UNSAFE_VAR_ASSIGNMENT: Unsafe assignment to innerHTML',
    'UNSAFE_VAR_ASSIGNMENT: Unsafe assignment to innerHTML',
  ]);
});
