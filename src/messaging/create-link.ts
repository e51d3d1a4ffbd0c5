import { createConnection } from './create-connection.ts';
import type { Connection } from './create-connection.ts';
import type { AnswerFrame, ClientFrame } from './frame.ts';
import type { Connect } from './port.ts';
import { watchDeadlines } from './watch-deadlines.ts';

/** One call or stream of a page, from its first frame to its last, over as many ports as that takes. */
export interface Exchange {
  /** Sends the opening frame over the port that is open now. */
  readonly transmit: () => void;
  readonly receive: (frame: AnswerFrame) => void;
  /** As `performance.now` counts; `Infinity` for what may go on for good. */
  readonly deadline: number;
  /** Ends it, because its deadline passed or no port can be opened any more. */
  readonly giveUp: (reason: 'TIMEOUT' | 'UNREACHABLE') => void;
  /** The port was lost. Says whether another has to be opened at once, even if that wakes the worker. */
  readonly lose: () => boolean;
}

/** What the exchanges of a page share: its name, its port and the numbering of its calls. */
export interface Link {
  /** Names this page for good. */
  readonly page: string;
  readonly connection: Connection;
  readonly number: () => number;
  readonly start: (id: number, exchange: Exchange) => void;
  readonly end: (id: number) => void;
  readonly post: (frame: ClientFrame) => void;
  /** Opens a port for exchanges that rest, if there are any. */
  readonly resume: () => void;
  /** As `resume`, over a new port whatever became of the old one. */
  readonly reconnect: () => void;
}

export function createLink(connect: Connect): Link {
  const exchanges = new Map<number, Exchange>();
  const wakeAt = watchDeadlines(exchanges);
  let lastId = 0;

  const connection = createConnection({
    connect,
    onMessage: (frame) => {
      if (frame.kind !== 'ready') exchanges.get(frame.id)?.receive(frame);
    },
    onOpen: () => {
      for (const exchange of exchanges.values()) exchange.transmit();
    },
    onLost: () => [...exchanges.values()].map(({ lose }) => lose()).includes(true),
    onUnreachable: () => {
      for (const exchange of exchanges.values()) exchange.giveUp('UNREACHABLE');
    },
  });

  function resume(): void {
    if (exchanges.size > 0) connection.open();
  }

  return {
    page: crypto.randomUUID(),
    connection,
    number: () => (lastId += 1),
    start: (id, exchange) => {
      exchanges.set(id, exchange);
      wakeAt(exchange.deadline);
      if (connection.isOpen()) exchange.transmit();
      else connection.open();
    },
    end: (id) => {
      exchanges.delete(id);
    },
    post: connection.post,
    resume,
    reconnect: () => {
      connection.drop();
      resume();
    },
  };
}
