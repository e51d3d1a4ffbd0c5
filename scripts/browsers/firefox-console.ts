import type { FirefoxChromeScope } from './firefox-chrome-scope.ts';
import type { ConsoleCall, FirefoxWindow } from './firefox-internals.ts';
import { nameHelper } from './page-source.ts';
import type { ConsoleEntry } from './running-extension.ts';

declare const Services: FirefoxWindow['Services'];
declare const window: Window & Pick<FirefoxWindow, 'extensionConsole'>;
declare const Cc: FirefoxWindow['Cc'];
declare const Ci: FirefoxWindow['Ci'];
declare const sendAsyncMessage: (name: string, data: ConsoleCall) => void;

/**
 * Collects what the extension's pages and event page write, from now on. Firefox's BiDi has no log events for
 * extensions. Exceptions and policy violations of every process reach the window's error console; calls of
 * `console.*` stay in the extension's process, where a process script hands them over. Neither of them holds the
 * event page awake.
 */
export async function collectFirefoxConsole(
  chrome: FirefoxChromeScope,
  { id, origin }: { readonly id: string; readonly origin: string },
): Promise<() => Promise<readonly ConsoleEntry[]>> {
  const script = `{ ${nameHelper} (${forwardConsoleCalls.toString()})(${JSON.stringify(id)}); }`;
  await chrome(collect, origin, `data:application/javascript,${encodeURIComponent(script)}`);
  return () => chrome(() => window.extensionConsole ?? []);
}

/** Runs in the chrome scope. */
function collect(origin: string, processScript: string): void {
  const entries: NonNullable<FirefoxWindow['extensionConsole']> = [];
  window.extensionConsole = entries;
  Services.console.registerListener({
    observe(message) {
      // The list also holds messages of other kinds.
      if (!(message instanceof Ci.nsIScriptError)) return;
      const { sourceName, errorMessage, flags } = message;
      if (!sourceName.startsWith(`${origin}/`) || flags & Ci.nsIScriptError.infoFlag) return;
      // Firefox's own remark on an event page that was ended during a call of the API, as tests do on purpose.
      if (errorMessage.startsWith('Promise resolved after context unloaded')) return;
      const isWarning = flags & Ci.nsIScriptError.warningFlag;
      entries.push({ level: isWarning ? 'warning' : 'error', text: errorMessage, source: sourceName });
    },
  });
  Services.ppmm.addMessageListener('extension-console', ({ data: { level, text, source } }) => {
    entries.push({ level: level === 'warn' ? 'warning' : 'error', text, source });
  });
  Services.ppmm.loadProcessScript(processScript, true);
}

/** Runs in every process, with the browser's rights. */
function forwardConsoleCalls(addonId: string): void {
  const storage = Cc['@mozilla.org/consoleAPI-storage;1'].getService(Ci.nsIConsoleAPIStorage);
  const principal = Cc['@mozilla.org/systemprincipal;1'].createInstance(Ci.nsIPrincipal);
  const describe = (value: unknown): string => {
    if (typeof value === 'object' && value !== null && !('stack' in value)) return JSON.stringify(value);
    return String(value);
  };
  storage.addLogEventListener(({ wrappedJSObject: call }) => {
    if (call.addonId !== addonId || !['warn', 'error', 'assert'].includes(call.level)) return;
    const text = call.arguments.map(describe).join(' ');
    sendAsyncMessage('extension-console', { level: call.level, text, source: call.filename });
  }, principal);
}
