import { TASKS } from './histories.ts';
import type { Made, Result } from './play.ts';

/** Returns all violations: duplicates, losses, what never ended, false outcomes, and changes in a wrong order. */
export function violationsOf(result: Result): string[] {
  const { list, made, noted, overtaken, quarantined, left } = result;
  const violations: string[] = left.map((open) => `left: ${open}`);
  for (const number of new Set(made.map((call) => call.number))) {
    // Only an event with a key is made more than once.
    const calls = made.filter((call) => call.number === number);
    const count = list.filter((entry) => entry === number).length;
    const given = quarantined.filter((entry) => entry.number === number);
    const isEvent = calls.some((call) => call.isEvent);
    const isAnswered = calls.some(({ outcome }) => outcome === 'answered');
    const isOpen = calls.some(({ outcome, by }) => outcome === 'pending' && (!isEvent || by === result.last));
    const isFalse =
      isEvent &&
      given.length === 0 &&
      calls.some(({ outcome, code }) => outcome === 'handled' && code !== 'ALREADY_MADE');
    // A noted event takes effect, or is given up after its last attempt. A change of a page may be in doubt.
    const least = isEvent ? Number(noted.has(number) && given.length === 0) : Number(isAnswered);
    const most = isEvent
      ? least
      : Number(calls.some(({ outcome }) => outcome === 'answered' || outcome === 'unknown'));
    const isGivenUp =
      given.every(({ ends }) => ends >= 10) && (calls[0]?.key !== undefined || given.length <= 1);
    const isLost = isAnswered && count === 0;
    if (count < least || count > most || isOpen || isFalse || isLost || !isGivenUp) {
      const ends = calls.map(({ course, outcome, code = '' }) => `${course} ${outcome} ${code}`.trim());
      violations.push(
        `${number} took effect ${count} times, was ${noted.has(number) ? '' : 'not '}noted, ended in ${ends.join()}, quarantined: ${given.length}`,
      );
    }
  }
  const isInOrder = ({ key, number, outcome }: Made): boolean =>
    key === undefined && outcome !== 'unknown' && !overtaken.has(number);
  const makerOf = ({ by, isEvent }: Made): unknown => (isEvent ? 'events' : by);
  for (const maker of new Set(made.map(makerOf))) {
    const own = made.filter((call) => makerOf(call) === maker && isInOrder(call));
    const numbers = new Set(own.map(({ number }) => number));
    const taken = list.filter((number) => numbers.has(number));
    if (taken.some((number, index) => number < (taken[index - 1] ?? 0))) {
      violations.push(`order: ${taken.join()}`);
    }
  }
  return [...violations, ...taskViolationsOf(result)];
}

/** Returns violations of tasks: those that were not settled once, did not run, or ran under several keys. */
function taskViolationsOf({ list, made, settled, cancelled, runs, quarantined }: Result): string[] {
  const enqueued = made.filter(({ number, task }) => task !== null && list.includes(number));
  const known = new Set(enqueued.map(({ number }) => number));
  const strange = settled
    .filter(([number]) => !known.has(number))
    .map(([number]) => `task ${number} has no cause`);
  return [
    ...strange,
    ...enqueued.flatMap(({ number, task: course }) => {
      const ends = [
        ...settled.filter(([settling]) => settling === number).map(([, end]) => end),
        ...cancelled.filter((other) => other === number).map(() => 'cancelled'),
        ...quarantined.filter(({ task: other }) => other === number).map(() => 'quarantined'),
      ];
      const keys = runs.filter((run) => run.number === number).map(({ key }) => key);
      const [end = 'not settled'] = ends;
      const isRun = keys.length > 0 || end === 'cancelled' || end.includes('died');
      const isFalse = end === 'done' && TASKS.indexOf(course ?? 'fine') > TASKS.indexOf('paused');
      if (ends.length === 1 && isRun && !isFalse && new Set(keys).size <= 1) return [];
      return [`task ${number} (${course}) ended in ${ends.join()}, and ran ${keys.length} times`];
    }),
  ];
}
