import { join } from 'node:path';
import { allFilesReady } from '@crxjs/vite-plugin';
import { createServer } from 'vite';
import { expect, it, onTestFinished } from 'vitest';

import { watchExtension } from '../../scripts/build-extension.ts';
import { packBuild } from '../../scripts/package-project.ts';
import { projectFolder, testBuilds } from '../../scripts/project-folder.ts';
import { createDeferred } from '../support/create-deferred.ts';
import { createTemporaryFolder } from '../support/temporary-folder.ts';

it('is refused by name when the dev server of `npm start` wrote it', async () => {
  const folder = await createTemporaryFolder('development-build');
  const server = await createServer({
    root: projectFolder,
    mode: 'chromium',
    logLevel: 'error',
    // Not where `npm start` may be at work, nor in a folder that goes with the test: Vite writes here even after it is closed.
    cacheDir: join(testBuilds, 'dev-server-cache'),
    server: { port: 0 },
    build: { outDir: join(folder, 'build') },
  });
  onTestFinished(() => server.close());
  await server.listen();
  await allFilesReady();

  await expect(packBuild(join(folder, 'build'), 'chromium')).rejects.toThrow(
    'belongs to a development build',
  );
});

it('is refused by name when it is one of those that `npm start -- --browser firefox` makes after every change', async () => {
  const folder = await createTemporaryFolder('development-build');
  const built = createDeferred();
  const watch = await watchExtension('firefox', folder, () => built.resolve());
  onTestFinished(() => watch.close());
  await built.promise;

  await expect(packBuild(folder, 'firefox')).rejects.toThrow('belongs to a development build');
});
