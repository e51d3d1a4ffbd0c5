import * as v from 'valibot';

/** What the running worker says about itself. */
export const ExtensionInfo = v.strictObject({
  name: v.string(),
  version: v.string(),
  /** Name and version, for example `Firefox 142.0`. */
  browser: v.string(),
  /** API permissions and host patterns that are granted now. */
  permissions: v.array(v.string()),
});

export type ExtensionInfo = v.InferOutput<typeof ExtensionInfo>;
