import { type FakeBrowser, fakeBrowser } from '@webext-core/fake-browser';
import type { Commands, Menus, Permissions, Runtime, Tabs } from 'webextension-polyfill';

import manifest from '../../manifest.json' with { type: 'json' };
import messages from '../../src/static/_locales/en/messages.json' with { type: 'json' };

/*
 * The browser of unit tests, which import it instead of `webextension-polyfill`. It is the fake browser, with members that
 * the fake only declares. Other functions throw until a test replaces them.
 */

interface FakeEvent<Values extends unknown[]> {
  /** Calls all listeners, and returns what they return. */
  readonly trigger: (...values: Values) => Promise<unknown[]>;
}

/** A text of `_locales`. The content of a placeholder is `$` and the position of its value, from 1. */
interface Text {
  readonly message: string;
  readonly placeholders?: Readonly<Record<string, { readonly content: string }>>;
}

/** Members that the fake only declares. */
interface Stubs {
  readonly contextMenus: { readonly onClicked: FakeEvent<[Menus.OnClickData, Tabs.Tab?]> };
  readonly commands: { readonly onCommand: FakeEvent<[name: string, Tabs.Tab?]> };
  readonly permissions: {
    readonly onAdded: FakeEvent<[Permissions.Permissions]>;
    readonly onRemoved: FakeEvent<[Permissions.Permissions]>;
  };
  readonly runtime: {
    readonly onMessageExternal: FakeEvent<[message: unknown, Runtime.MessageSender, respond: () => void]>;
  };
}

const browser = fakeBrowser as FakeBrowser & Stubs;

export const {
  action,
  alarms,
  commands,
  contextMenus,
  cookies,
  downloads,
  i18n,
  identity,
  idle,
  notifications,
  permissions,
  runtime,
  scripting,
  sessions,
  storage,
  tabs,
  webNavigation,
  windows,
} = browser;

/** Items of the context menu, by id. */
export const menuItems = new Map<string | number, Menus.CreateCreatePropertiesType>();

const granted = new Set<string>();

Object.assign(runtime, {
  getManifest: () => ({ ...manifest, name: messages.extension_name.message }),
});
Object.assign(i18n, {
  getMessage: (key: string, values: readonly string[] = []): string => {
    const texts: Readonly<Record<string, Text>> = messages;
    const { message = '', placeholders = {} } = texts[key] ?? {};
    return message.replaceAll(/\$(\w+)\$/gu, (_, name: string) => {
      const place = placeholders[name.toLowerCase()]?.content.slice(1);
      return values[Number(place) - 1] ?? '';
    });
  },
});
Object.assign(contextMenus, {
  create: (item: Menus.CreateCreatePropertiesType) => {
    const id = item.id ?? menuItems.size + 1;
    menuItems.set(id, item);
    return id;
  },
  update: async (id: string | number, changes: Menus.UpdateUpdatePropertiesType) => {
    menuItems.set(id, { ...menuItems.get(id), ...changes });
  },
  remove: async (id: string | number) => void menuItems.delete(id),
  removeAll: async () => menuItems.clear(),
});
Object.assign(commands, { getAll: async (): Promise<Commands.Command[]> => [] });
Object.assign(permissions, {
  getAll: async () => ({ permissions: [...granted], origins: [] }),
  contains: async ({ permissions: asked = [] }: Permissions.Permissions) =>
    asked.every((permission) => granted.has(permission)),
  request: async ({ permissions: asked = [] }: Permissions.Permissions) => {
    for (const permission of asked) granted.add(permission);
    return true;
  },
});
Object.assign(scripting, { executeScript: async () => [] });

type Listener = (...values: unknown[]) => unknown;

interface ListenerSet {
  addListener: (listener: Listener) => void;
}

const listeners = new Map<ListenerSet, Set<Listener>>();
let isFirstTurn = false;

for (const [name, namespace] of Object.entries({ ...browser })) {
  for (const [member, event] of Object.entries(namespace)) {
    if (/^on[A-Z]/.test(member)) watchEvent(`${name}.${member}`, event as ListenerSet);
  }
}

/** Keeps the listeners of an event. They must be added in the first turn of a background. */
function watchEvent(name: string, event: ListenerSet): void {
  const own = new Set<Listener>();
  listeners.set(event, own);
  Object.assign(event, {
    addListener: (listener: Listener) => {
      if (!isFirstTurn) {
        throw new Error(
          `Add listeners of ${name} in the first turn of the background: in \`start\`, without an \`await\`.`,
        );
      }
      own.add(listener);
    },
    removeListener: (listener: Listener) => void own.delete(listener),
    hasListener: (listener: Listener) => own.has(listener),
    hasListeners: () => own.size > 0,
    trigger: (...values: unknown[]) => Promise.all([...own].map((listener) => listener(...values))),
  });
}

/** Resets what the browser keeps. The extension has the permissions of its manifest. */
export function resetBrowser(): void {
  fakeBrowser.reset();
  menuItems.clear();
  granted.clear();
  for (const permission of manifest.permissions) granted.add(permission);
}

/** Starts a background: the listeners of the one before are gone, and new ones can be added until this turn ends. */
export function startTurn(): void {
  for (const own of listeners.values()) own.clear();
  isFirstTurn = true;
  queueMicrotask(() => (isFirstTurn = false));
}
