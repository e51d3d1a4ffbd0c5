import { CallError } from '../messaging/errors.ts';

/**
 * Watches the listeners that features register. Call it in the first turn of the background's script.
 *
 * The background logs its own calls that fail, so an async listener that awaits one must not be reported as well. Firefox 153
 * reports it anyway. In development, listeners that are registered too late are logged.
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

/** Logs each listener of an event of the browser that is registered after the first turn. Both browsers let code replace `addListener`. */
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
