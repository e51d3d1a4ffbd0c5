// Everything that declares a feature.
export type { EventOptions } from '../queue/events.ts';
export type { Observe, ObservedCall, Outcome } from '../server/call.ts';
export { watchChanges } from '../state/watch.ts';
export type { ErrorCode } from '../wire/errors.ts';
export { type CallerInfo, contentScript, defineCallers, page } from './define-callers.ts';
export { proceduresFor } from './declare.ts';
export { defineCollection, defineDocument, type Item } from './documents.ts';
export { type ApiOf, type Background, defineFeature, type Feature } from './feature.ts';
export type { Changes, ListPage, StateReader, StateWatcher, StateWriter, TaskItem } from './handler-state.ts';
export type { InputOf, OutputOf, Procedures } from './procedures.ts';
export { defineService, type Service } from './services.ts';
export { giveUp, pauseService, runLater } from './task-errors.ts';
export { defineTask } from './tasks.ts';
