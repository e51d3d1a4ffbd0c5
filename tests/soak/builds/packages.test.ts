import { expect, it } from 'vitest';

import { projectFolder } from '../../../scripts/project-folder.ts';
import { installNode, readChecksums, runPackage, unpackSource } from '../../support/project-copy.ts';

it.each(['20.19.0', '22.23.3', '24.21.0'])(
  'packages are the same, byte by byte, with Node %s',
  async (version) => {
    const folder = await unpackSource('source');

    const { exitCode, output } = await runPackage(folder, {
      args: ['--dirty'],
      node: await installNode(version),
    });

    expect(exitCode, output).toBe(0);
    expect(await readChecksums(folder)).toBe(await readChecksums(projectFolder));
  },
);
