import type { Fault } from './fault.ts';

/** M11: order. */
export const orderFaults: readonly Fault[] = [
  {
    breaks: 'sends all mutations of a page at once',
    file: 'create-client.ts',
    find: 'mutations.push(place) > 1',
    replace: 'mutations.push(place) > Infinity',
    caughtBy: ['order', 'keeps the order when the worker dies in between'],
  },
  {
    breaks: 'never sends the mutation that is next',
    file: 'create-client.ts',
    find: 'mutations[0]?.release();',
    replace: '',
    caughtBy: ['order', 'goes on with the next one when one fails'],
  },
  {
    breaks: 'sends a mutation that was given up',
    file: 'create-client.ts',
    find: 'mutations.splice(mutations.indexOf(place), 1);',
    replace: 'mutations.shift();',
    caughtBy: ['order', 'never sends a mutation that was given up while it waited for its turn'],
  },
];
