/** Milliseconds that a call is given when its caller does not say. */
export const DEFAULT_TIMEOUT = 10_000;

/** Most milliseconds that a caller can ask for. Far less than a journal slot lives. */
export const MAX_TIMEOUT = 10 * 60_000;
