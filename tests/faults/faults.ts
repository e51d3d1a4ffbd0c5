import { deadlineFaults } from './deadline-faults.ts';
import { deathFaults } from './death-faults.ts';
import { errorFaults } from './error-faults.ts';
import type { Fault } from './fault.ts';
import { inputFaults } from './input-faults.ts';
import { orderFaults } from './order-faults.ts';
import { recordFaults } from './record-faults.ts';
import { settlingFaults } from './settling-faults.ts';
import { sleepFaults } from './sleep-faults.ts';
import { stateFaults } from './state-faults.ts';
import { streamFaults } from './stream-faults.ts';
import { trustFaults } from './trust-faults.ts';

/** The planted faults, in the order of the promises that they break. */
export const faults: readonly Fault[] = [
  ...settlingFaults,
  ...deadlineFaults,
  ...deathFaults,
  ...stateFaults,
  ...sleepFaults,
  ...trustFaults,
  ...inputFaults,
  ...errorFaults,
  ...streamFaults,
  ...recordFaults,
  ...orderFaults,
];
