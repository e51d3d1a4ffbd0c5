import { runtime, tabs, windows } from 'webextension-polyfill';

/**
 * Shows a page of the extension at a hash such as `#/preferences`, and closes the popup that calls this. If the page is
 * already open in a tab, that tab is used. The query finds the extension's own pages without the permission `tabs`.
 *
 * @param path the page's path within the extension
 */
export async function openPage(path: string, hash: string): Promise<void> {
  const url = runtime.getURL(path);
  const [open] = await tabs.query({ url: `${url}*` });
  if (open?.id === undefined) await tabs.create({ url: url + hash });
  else {
    await tabs.update(open.id, { active: true, ...(hash !== '' && { url: url + hash }) });
    if (open.windowId !== undefined) await windows.update(open.windowId, { focused: true });
  }
  window.close();
}
