// Everything that declares a feature.
export { type CallerInfo, contentScript, defineCallers, page } from './define/define-callers.ts';
export { proceduresFor } from './define/declare.ts';
export { defineCollection, defineDocument, type Item } from './define/documents.ts';
export {
  type ApiOf,
  type Background,
  defineFeature,
  type EventOptions,
  type Feature,
} from './define/feature.ts';
export type {
  Changes,
  ListPage,
  StateReader,
  StateWatcher,
  StateWriter,
  TaskItem,
} from './define/handler-state.ts';
export type { Observe, ObservedCall, Ending } from './define/observe.ts';
export type { InputOf, OutputOf, Procedures } from './define/procedures.ts';
export { defineService, type Service } from './define/services.ts';
export { giveUp, pauseService, runLater } from './define/task-errors.ts';
export { defineTask } from './define/tasks.ts';
export { watchChanges } from './state/watch.ts';
export type { ErrorCode } from './wire/errors.ts';
