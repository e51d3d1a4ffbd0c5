/** A value that comes through `JSON.parse(JSON.stringify(value))` unchanged. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/**
 * `T` with every part that is not JSON turned into `never`, so that `T extends JsonOf<T>` holds for JSON alone.
 * A member typed `undefined` is not JSON (it is lost on the wire): declare it as exactly optional instead.
 */
export type JsonOf<T> = T extends Json
  ? T
  : T extends (...parameters: never[]) => unknown
    ? never
    : T extends object
      ? {
          [Key in keyof T]: Key extends symbol
            ? T extends readonly unknown[]
              ? T[Key]
              : never
            : JsonOf<T[Key]>;
        }
      : never;
