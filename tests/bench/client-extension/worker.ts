import * as v from 'valibot';

import { type ApiOf, defineFeature } from '../../../src/messaging/feature.ts';
import type { Json } from '../../../src/messaging/json.ts';
import { proceduresFor } from '../../../src/messaging/procedures.ts';
import { startBackground } from '../../../src/platform/background.ts';
import { counterFeature, testCallers } from '../../support/counter.ts';

const AnyJson = v.custom<Json>(() => true);

/** Echoes any value. Its schema costs nothing, so that only the core is measured. */
const echoFeature = defineFeature({
  procedures: {
    'any.echo': proceduresFor(testCallers).query({
      callers: ['options'],
      input: AnyJson,
      output: AnyJson,
      handle: ({ input }) => input,
    }),
  },
});

export type BenchApi = ApiOf<readonly [typeof counterFeature, typeof echoFeature]>;

startBackground(testCallers, [counterFeature, echoFeature]);
