/**
 * The browser's API, with promises and under one name in every browser. All of `src/platform` goes through it, and no
 * other code does. Each namespace by its name: a default import makes the bundler's interop read every API of the browser,
 * which then creates them all (2.5 ms in each start of the background). The library throws when it is loaded outside an
 * extension, so tests in memory do not import this folder.
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
