/** In Firefox, a namespace or an event is missing if the extension lacks its permission. */
type Namespaces = Readonly<Record<string, Readonly<Record<string, Event | undefined>> | undefined>>;

interface Event {
  addListener: (...values: unknown[]) => void;
}

/**
 * Logs each listener of an event such as `tabs.onUpdated` that is registered after the first script has ended. It does not see
 * events of one storage area, such as `storage.local.onChanged`. It is for development: call it before the background starts.
 * Both browsers let code replace `addListener`.
 */
export function reportLateListeners(): void {
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
