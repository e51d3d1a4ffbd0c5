import * as v from 'valibot';

import { textOf } from './built-extension.ts';
import type { BuiltExtension } from './built-extension.ts';

const Manifest = v.looseObject({
  background: v.looseObject({
    service_worker: v.optional(v.string()),
    scripts: v.optional(v.array(v.string())),
  }),
  action: v.looseObject({ default_popup: v.string() }),
});

/** The manifest of a built extension, with what the gates ask of it proven. */
export function manifestOf(extension: BuiltExtension): v.InferOutput<typeof Manifest> {
  return v.parse(Manifest, JSON.parse(textOf(extension, 'manifest.json')));
}

/** Path of the worker's first script. */
export function workerOf(extension: BuiltExtension): string {
  const { service_worker: worker, scripts = [] } = manifestOf(extension).background;
  return worker ?? scripts[0] ?? '';
}
