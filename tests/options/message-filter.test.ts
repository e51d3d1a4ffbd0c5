import { expect, it } from 'vitest';

import { filterMessages, noFilter } from '../../src/options/messages/message-filter.ts';
import type { Message } from '../../src/options/messages/message.ts';
import { quantile } from '../../src/options/messages/quantile.ts';

const messages: readonly Message[] = [
  message(1, 'popup', 'query', 'extension.info', 'value'),
  message(2, 'options', 'mutation', 'preferences.update', 'FORBIDDEN'),
  message(3, 'options', 'query', 'extension.info', 'TIMEOUT'),
];

it.each([
  ['everything', {}, [1, 2, 3]],
  ['one caller', { caller: 'options' }, [2, 3]],
  ['one kind', { kind: 'query' }, [1, 3]],
  ['one name', { name: 'preferences.update' }, [2]],
  ['one outcome', { outcome: 'TIMEOUT' }, [3]],
  ['a text, in upper or lower case', { text: ' forbid' }, [2]],
  ['all of several', { caller: 'options', name: 'extension.info' }, [3]],
  ['nothing that fits', { caller: 'popup', outcome: 'TIMEOUT' }, []],
])('messages can be filtered by %s', (_what, filter, keys) => {
  expect(filterMessages(messages, { ...noFilter, ...filter }).map(({ key }) => key)).toEqual(keys);
});

it.each([
  [hundred(), 0.5, 50],
  [hundred(), 0.95, 95],
  [hundred(), 0, 1],
  [[100, 1], 0.5, 1],
  [[7], 0.95, 7],
  [[], 0.5, undefined],
])('a quantile of %j is what that share does not exceed: %d → %d', (values, share, expected) => {
  expect(quantile(values, share)).toBe(expected);
});

function hundred(): number[] {
  return Array.from({ length: 100 }, (_, index) => 100 - index);
}

function message(key: number, caller: string, kind: Message['kind'], name: string, outcome: string): Message {
  return { key, number: key, caller, kind, name, outcome, at: 0, duration: 1, attempts: 1 };
}
