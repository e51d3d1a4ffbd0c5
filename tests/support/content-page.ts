import type { RunningExtension, View } from '../../scripts/browsers/running-extension.ts';
import { buildTestExtension, copyBuiltExtension, launchBuiltExtension } from './built-extension.ts';
import { servePage } from './web-page.ts';

/**
 * Starts the extension with a content script, and opens a page in which the script is ready.
 *
 * @param files are added to the build, or change it
 * @param prepare runs in a page of the extension before that
 */
export async function launchContent(
  files: Parameters<typeof copyBuiltExtension>[0] = {},
  prepare: (options: View) => Promise<unknown> = async () => {},
) {
  const folder = await copyBuiltExtension(files, await buildTestExtension('content'));
  const extension = await launchBuiltExtension(folder);
  await prepare(await extension.open('options.html'));
  const address = (await servePage()).replace('127.0.0.1', 'web.test');
  return { extension, folder, address, page: await openReady(extension, address) };
}

/** Opens a page, and waits until its content script is ready. */
export async function openReady(extension: RunningExtension, address: string): Promise<View> {
  const page = await extension.open(address);
  await page.waitFor(() => document.querySelector('count-output') !== null);
  return page;
}

/** Makes the content script of a page, or of the frame with this id, run one of its actions. Returns the outcome. */
export function act(page: View, action: string, frame = ''): Promise<unknown> {
  return page.evaluate(
    (name, id) =>
      new Promise((resolve) => {
        const target =
          id === '' ? window : document.querySelector<HTMLIFrameElement>(`#${id}`)?.contentWindow;
        addEventListener('message', function hear({ data }: MessageEvent<{ readonly done?: unknown }>) {
          if (data.done === undefined) return;
          removeEventListener('message', hear);
          resolve(data.done);
        });
        target?.postMessage({ act: name }, '*');
      }),
    action,
    frame,
  );
}

/** Waits until the content script of a page shows this count. */
export function shows(page: View, count: string): Promise<boolean> {
  return page.waitFor(
    (expected) => document.querySelector<HTMLElement>('count-output')?.dataset['count'] === expected,
    count,
  );
}

/** Waits until the connection of the content script of a page has this status. */
export async function statusIs(page: View, status: string): Promise<void> {
  while ((await act(page, 'status')) !== status);
}

/** Adds 1 to the counter in a new page of the extension. */
export async function addOne(extension: RunningExtension): Promise<void> {
  const options = await extension.open('options.html');
  await options.evaluate(() => own.mutate('counter.add', 1));
}
