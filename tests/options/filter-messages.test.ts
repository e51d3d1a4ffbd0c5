import { expect, it } from 'vitest';

import { filterMessages, noFilter } from '../../src/options/messages/use-messages.ts';
import type { Message } from '../../src/options/messages/use-messages.ts';
import { quantile } from '../../src/options/messages/duration-plot.tsx';

const messages: readonly Message[] = [
  message(1, 'popup', 'query', 'extension.info', 'value'),
  message(2, 'options', 'mutation', 'preferences.update', 'FORBIDDEN'),
  message(3, 'options', 'query', 'extension.info', 'TIMEOUT'),
];

it.each([
  ['everything', {}, [3, 2, 1]],
  ['one caller', { caller: 'options' }, [3, 2]],
  ['one kind', { kind: 'query' }, [3, 1]],
  ['one name', { name: 'preferences.update' }, [2]],
  ['one outcome', { outcome: 'TIMEOUT' }, [3]],
  ['a text, in upper or lower case', { text: ' forbid' }, [2]],
  ['all of several', { caller: 'options', name: 'extension.info' }, [3]],
  ['nothing that fits', { caller: 'popup', outcome: 'TIMEOUT' }, []],
])('messages can be filtered by %s', (_what, filter, keys) => {
  expect(filterMessages(messages, { ...noFilter, ...filter }).map(({ key }) => key)).toEqual(keys);
});

it('messages are shown by when they started, the latest first, although they come when they end', () => {
  const ended = [
    { ...message(1, 'popup', 'query', 'quick', 'value'), at: 20 },
    { ...message(2, 'popup', 'query', 'slow', 'value'), at: 10 },
  ];

  expect(filterMessages(ended, noFilter).map(({ name }) => name)).toEqual(['quick', 'slow']);
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
