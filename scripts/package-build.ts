import { browserNames } from './browsers/find-browser.ts';
import { buildExtension } from './build-extension.ts';
import { runCommand } from './command.ts';
import { compileCore } from './package-core.ts';

// Builds everything that `npm run package` packs, in the folder that it has made.
await runCommand(async () => {
  for (const browser of browserNames) await buildExtension(browser);
  await compileCore();
});
