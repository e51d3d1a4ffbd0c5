/**
 * The browser's API, which returns promises and has the same name in every browser. Only `src/platform` uses it. Namespaces
 * are exported one by one, because a default import makes the bundle read every API of the browser, which costs 2.5 ms in
 * each start of the background. The library throws outside an extension, so in-memory tests do not import this folder.
 */
export {
  alarms,
  contextMenus,
  i18n,
  permissions,
  runtime,
  storage,
  tabs,
  windows,
} from 'webextension-polyfill';
