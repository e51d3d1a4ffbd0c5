import type { Port } from '../../src/messaging/port.ts';

/** How a message is copied on its way: Chromium's wire is JSON, Firefox's the structured clone. */
export type Wire = 'json' | 'clone';

/** One end of a port, with the handles that only the world has. */
export interface PortEnd extends Port {
  /** What the other end posts, before it is delivered. */
  readonly deliver: (message: unknown) => void;
  /** Tells this end that the other is gone, after everything that was posted before. */
  readonly drop: () => void;
}

/** Two joined ends. Messages arrive in order, in a later microtask each; a closed end neither sends nor hears. */
export function createPortPair(wire: Wire): [PortEnd, PortEnd] {
  const left = createEnd(wire, () => right);
  const right = createEnd(wire, () => left);
  return [left, right];
}

function createEnd(wire: Wire, other: () => PortEnd): PortEnd {
  const messageListeners = new Set<(message: unknown) => void>();
  const disconnectListeners = new Set<() => void>();
  let isOpen = true;

  return {
    post: (message) => {
      try {
        if (isOpen) other().deliver(copy(message, wire));
        return isOpen;
      } catch {
        // As a browser, which throws, and `toPort`, which does not.
        return false;
      }
    },
    deliver: (message) => {
      queueMicrotask(() => {
        if (isOpen) for (const listener of messageListeners) listener(message);
      });
    },
    drop: () => {
      queueMicrotask(() => {
        if (!isOpen) return;
        isOpen = false;
        for (const listener of disconnectListeners) listener();
      });
    },
    disconnect: () => {
      if (!isOpen) return;
      isOpen = false;
      other().drop();
    },
    onMessage: (listener) => {
      messageListeners.add(listener);
    },
    onDisconnect: (listener) => {
      disconnectListeners.add(listener);
    },
  };
}

function copy(message: unknown, wire: Wire): unknown {
  return wire === 'json' ? JSON.parse(JSON.stringify(message)) : structuredClone(message);
}
