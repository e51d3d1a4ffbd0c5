import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'vite';

import manifest from '../../manifest.json' with { type: 'json' };
import type { BrowserName } from '../../scripts/browsers/find-browser.ts';
import { projectFolder } from '../../scripts/project-folder.ts';
import { testBuilds } from '../support/build-core-extension.ts';

/** Path of the gallery's only page. The query of its address selects the states, see `main.tsx`. */
export const galleryPage = 'tests/gallery/gallery.html';

/**
 * Builds an extension for tests and pictures, whose page shows the real components in all states. Each state has a worker
 * whose answers never change. Returns its folder.
 */
export async function buildGallery(browser: BrowserName): Promise<string> {
  // Suites run at the same time, each in its own process.
  const folder = join(testBuilds, `gallery-${browser}-${process.pid}`);
  await build({
    root: projectFolder,
    mode: browser,
    logLevel: 'error',
    build: {
      outDir: folder,
      emptyOutDir: true,
      rolldownOptions: { input: join(projectFolder, galleryPage) },
    },
  });
  await writeFile(join(folder, 'manifest.json'), JSON.stringify(galleryManifest()));
  return folder;
}

/** Returns the manifest of the extension without its background. Its pages may frame each other. */
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

/** Runs in the page. Returns the names of the states that are not reached yet, or `all` if there are no states yet. */
export function missingStates(): readonly string[] {
  const frames = [...document.querySelectorAll('iframe')];
  if (frames.length === 0) return ['all'];
  // A frame that has just started to load has no document of this extension, or a document without a root element.
  const isReached = ({ contentDocument, title }: HTMLIFrameElement): boolean =>
    contentDocument?.querySelector('html')?.dataset['reached'] === title;
  return frames.filter((frame) => !isReached(frame)).map(({ title }) => title);
}
