import { join } from 'node:path';
import { expect, it } from 'vitest';

import { packageFile, packagesFolder } from '../../../scripts/package-project.ts';
import { projectFolder } from '../../../scripts/project-folder.ts';
import { runInCopy } from '../../support/project-copy.ts';

it('the package for Firefox has only two linter warnings, where react-dom writes markup', async () => {
  const zip = join(packagesFolder, packageFile('firefox'));
  const markup = { code: 'UNSAFE_VAR_ASSIGNMENT', message: 'Unsafe assignment to innerHTML' };

  const output = await runInCopy(projectFolder, 'addons-linter/bin/addons-linter', '--output=json', zip);

  expect(JSON.parse(output)).toMatchObject({ errors: [], notices: [], warnings: [markup, markup] });
});
