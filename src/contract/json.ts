import * as v from 'valibot';

import type { Json as JsonValue } from '../messaging/json.ts';

/** Any JSON value. That it is one the messaging core proves, on the wire and before it is stored. */
export const Json = v.custom<JsonValue>(() => true);
