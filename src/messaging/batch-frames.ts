import type { Port } from './port.ts';

/** A port for single frames over one whose messages hold one or more. */
export interface FramePort extends Omit<Port, 'post'> {
  readonly post: (frame: unknown) => void;
}

/**
 * Sends the frames that are posted in one turn as one message: a message costs a browser more than what is in it. So
 * calls made together travel together, and their answers, and none of them waits for more than the turn to end.
 */
export function batchFrames(port: Port): FramePort {
  // Quicker than `queueMicrotask`, which is no part of the language and has to be called in the browser.
  const turn = Promise.resolve();
  const waiting: unknown[] = [];

  function flush(): void {
    const frames = waiting.splice(0);
    // Together they may be more than the wire takes as one message.
    if (frames.length === 1 || !port.post(frames)) for (const frame of frames) port.post(frame);
  }

  return {
    ...port,
    post: (frame) => {
      if (waiting.push(frame) === 1) void turn.then(flush);
    },
    onMessage: (listener) => port.onMessage((message) => [message].flat().forEach(listener)),
    disconnect: () => {
      if (waiting.length > 0) flush();
      port.disconnect();
    },
  };
}
