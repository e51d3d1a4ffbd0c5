import * as v from 'valibot';

import {
  type CallerInfo,
  contentScript,
  defineCallers,
} from '../../../src/messaging/define/define-callers.ts';
import { type ApiOf, defineFeature } from '../../../src/messaging/define/feature.ts';
import { proceduresFor } from '../../../src/messaging/define/declare.ts';
import { counter, counterFeature, testCallers } from '../counter.ts';

export const contentCallers = defineCallers({
  ...testCallers,
  content: contentScript({ matches: ['http://web.test/*'] }),
});

const { query, subscription } = proceduresFor(contentCallers);

/** Texts that the background has logged. */
export const logged: string[] = [];

/** The caller that the observer was last called with. */
let observed: CallerInfo | undefined;

/** The content scripts that have called this background. */
const scripts: CallerInfo[] = [];

/** The feature of the counter with a content script as a third caller. */
export const contentFeature = defineFeature({
  documents: [counter],
  observe: ({ caller }) => {
    observed = caller;
    if (caller.name === 'content') scripts.push(caller);
    return undefined;
  },
  procedures: {
    ...counterFeature.procedures,
    'counter.watch': subscription({
      callers: ['popup', 'options', 'content'],
      output: v.number(),
      handle: ({ state }) => state.watch(counter),
    }),
    /** Returns its caller, and the caller that the observer got. */
    'caller.read': query({
      callers: ['popup', 'options', 'content'],
      output: v.array(v.any()),
      handle: ({ caller }) => [caller, observed],
    }),
    'scripts.read': query({ callers: ['options'], output: v.array(v.any()), handle: () => [...scripts] }),
    'log.read': query({ callers: ['options'], output: v.array(v.string()), handle: () => [...logged] }),
    'text.echo': query({
      callers: ['popup', 'options', 'content'],
      input: v.string(),
      output: v.string(),
      handle: ({ input, caller }) => `${input} from ${caller.name}`,
    }),
  },
});

export type ContentApi = ApiOf<readonly [typeof contentFeature]>;
