import { expect, it } from 'vitest';

import { launchOwnBrowser, untilWritten } from '../support/built-extension.ts';
import { chooseTheme } from '../support/page-actions.ts';
import {
  DARK,
  EITHER,
  LIGHT,
  type Look,
  lookAtPages,
  steadyLook,
  withWatchedFrames,
} from '../support/watch-frames.ts';

it('paints both pages in each theme from their first frame, also after a restart of the browser', async () => {
  let extension = await launchOwnBrowser(await withWatchedFrames());
  const looks: Look[] = [];

  for (const choice of ['Light', 'Match system', 'Dark']) {
    await chooseTheme(extension, choice);
    looks.push(await lookAtPages(extension));
  }
  await untilWritten(extension, 'theme', 'dark');
  extension = await extension.restart();
  looks.push(await lookAtPages(extension));

  const [first] = looks;
  expect(first && looks).toEqual(
    [LIGHT, EITHER, DARK, DARK].map((ground) => first && steadyLook(ground, first)),
  );
});
