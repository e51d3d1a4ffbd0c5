import { createConnection } from './create-connection.ts';
import type { Connection } from './create-connection.ts';
import type { Exchange } from './exchange.ts';
import type { Connect } from './port.ts';
import { watchDeadlines } from './watch-deadlines.ts';

/** What the exchanges of a page share: its name, its port and the numbering of its calls. */
export interface Link extends Connection {
  /** Names this page for good. */
  readonly page: string;
  readonly number: () => number;
  readonly start: (id: number, exchange: Exchange) => void;
  readonly end: (id: number) => void;
}

export function createLink(connect: Connect): Link {
  const exchanges = new Map<number, Exchange>();
  const wakeAt = watchDeadlines(exchanges);
  const connection = createConnection(connect, exchanges);
  let lastId = 0;

  return {
    ...connection,
    page: crypto.randomUUID(),
    number: () => (lastId += 1),
    start: (id, exchange) => {
      exchanges.set(id, exchange);
      wakeAt(exchange.deadline);
      if (connection.isOpen()) exchange.transmit();
      else connection.open();
    },
    end: (id) => void exchanges.delete(id),
  };
}
