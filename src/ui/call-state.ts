import type { CallError } from '../messaging/errors.ts';

/** What a page has of something that it asked the worker for. */
export type CallState<Value> =
  | { readonly status: 'loading' }
  | { readonly status: 'ready'; readonly value: Value }
  | { readonly status: 'failed'; readonly error: CallError; readonly retry: () => void };
