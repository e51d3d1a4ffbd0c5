import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, inject, it } from 'vitest';

import { projectFolder } from '../../scripts/project-folder.ts';
import { launchBuiltExtension, writeExtension } from '../support/built-extension.ts';
import { addFrame } from '../support/page-actions.ts';
import { servePage } from '../support/web-page.ts';

/** Whether a script ran in the frame. */
interface Framed {
  readonly byOwnPage: boolean;
  readonly byWebPage: boolean;
}

it('does not let any page frame a page of the extension, not even its own pages', async () => {
  const manifest = await readFile(
    join(projectFolder, 'dist', inject('browserName'), 'manifest.json'),
    'utf8',
  );
  const policy = (JSON.parse(manifest) as { content_security_policy: object }).content_security_policy;

  expect(await frameUnder({ content_security_policy: policy })).toEqual({
    byOwnPage: false,
    byWebPage: false,
  });
});

it('lets only own pages frame a page where there is no such policy', async () => {
  expect(await frameUnder({})).toEqual({ byOwnPage: true, byWebPage: false });
});

async function frameUnder(manifest: Readonly<Record<string, unknown>>): Promise<Framed> {
  const gecko = { id: 'framed@extension.invalid' };
  const background =
    inject('browserName') === 'firefox' ? { scripts: ['tell.js'] } : { service_worker: 'empty.js' };
  const folder = await writeExtension(
    {
      name: 'Framed',
      background,
      action: { default_popup: 'page.html' },
      browser_specific_settings: { gecko },
      ...manifest,
    },
    {
      'page.html': '<!doctype html><body><script src="tell.js"></script>',
      'tell.js': `parent.postMessage({ told: 'ran' }, '*');`,
      'empty.js': '',
    },
  );
  const extension = await launchBuiltExtension(folder);
  const pages = [await extension.open('page.html'), await extension.open(await servePage())];

  const ran: boolean[] = [];
  for (const page of pages) {
    await addFrame(page, { src: `${extension.origin}/page.html` });
    ran.push(await page.evaluate(() => document.documentElement.dataset['told'] === 'ran'));
  }
  return { byOwnPage: ran[0] === true, byWebPage: ran[1] === true };
}
