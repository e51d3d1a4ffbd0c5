import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'vite';

import manifest from '../../manifest.json' with { type: 'json' };
import type { BrowserName } from '../../scripts/browsers/find-browser.ts';
import { buildTarget } from '../../scripts/build-target.ts';
import { projectFolder, testBuilds } from '../../scripts/project-folder.ts';
import { sourcePlugins } from '../../scripts/source-plugins.ts';

/** The one page of the gallery, within its extension. Its address says what it shows, see `main.tsx`. */
export const galleryPage = 'tests/gallery/gallery.html';

/**
 * Builds an extension that consists of the page with all states, never to be shipped: the real components, and a worker
 * that stays as each state wants it. Gives its folder.
 */
export async function buildGallery(browser: BrowserName): Promise<string> {
  // Suites run at the same time, each in a process of its own.
  const folder = join(testBuilds, `gallery-${browser}-${process.pid}`);
  await build({
    configFile: false,
    root: projectFolder,
    publicDir: 'src/static',
    logLevel: 'error',
    plugins: sourcePlugins(),
    build: {
      target: buildTarget,
      outDir: folder,
      emptyOutDir: true,
      modulePreload: false,
      rolldownOptions: { input: join(projectFolder, galleryPage) },
    },
  });
  await writeFile(join(folder, 'manifest.json'), JSON.stringify(galleryManifest()));
  return folder;
}

/** The extension's own, without a worker, and with pages that may stand in one another. */
function galleryManifest(): unknown {
  const { background, options_ui, ...rest } = manifest;
  const policy = manifest.content_security_policy.extension_pages;
  return {
    ...rest,
    action: { default_popup: galleryPage },
    content_security_policy: {
      extension_pages: `${policy.replace("frame-ancestors 'none'", "frame-ancestors 'self'")}; frame-src 'self'`,
    },
  };
}

/** Names of the states on the page that are not reached yet, or that all are missing. Runs inside the page. */
export function missingStates(): readonly string[] {
  const frames = [...document.querySelectorAll('iframe')];
  if (frames.length === 0) return ['all'];
  // A frame that has just begun to load has neither a document of this extension nor, for a moment, a root in it.
  const isReached = ({ contentDocument, title }: HTMLIFrameElement): boolean =>
    contentDocument?.querySelector('html')?.dataset['reached'] === title;
  return frames.filter((frame) => !isReached(frame)).map(({ title }) => title);
}
