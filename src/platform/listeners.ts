import { CallError } from '../messaging/errors.ts';

/**
 * Watches the listeners that features register. Call it before any of them is registered.
 *
 * The background logs each of its own calls that fails. So the browser must not report the rejection of a listener that awaits
 * such a call, although Firefox 153 does. In development, listeners that are registered too late are logged.
 */
export function watchListeners(): void {
  addEventListener('unhandledrejection', (event) => {
    if (event.reason instanceof CallError) event.preventDefault();
  });
  if (import.meta.env.DEV) reportLateListeners();
}

/** A namespace, or an event, is missing in Firefox if a permission for it is. */
type Namespaces = Readonly<Record<string, Readonly<Record<string, Event | undefined>> | undefined>>;

interface Event {
  addListener: (...values: unknown[]) => void;
}

/** Logs each listener that is registered after the first script has ended. Both browsers let code replace `addListener`. */
function reportLateListeners(): void {
  let isFirstTurn = true;
  queueMicrotask(() => (isFirstTurn = false));
  const { chrome } = globalThis as unknown as { readonly chrome: Namespaces };
  for (const [namespace, members = {}] of Object.entries(chrome)) {
    for (const [name, event] of Object.entries(members)) {
      if (event === undefined || !/^on[A-Z]/.test(name)) continue;
      const add = event.addListener;
      event.addListener = (...values) => {
        if (!isFirstTurn) {
          const late = `A listener of ${namespace}.${name} was registered too late, so it cannot start the background.`;
          console.error(new Error(`${late} Register it in \`start\`, before any \`await\`.`));
        }
        add.apply(event, values);
      };
    }
  }
}
