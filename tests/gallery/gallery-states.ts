import type { GalleryState } from './gallery-state.ts';
import { backgroundStates } from './states/background-states.ts';
import { partStates } from './states/part-states.tsx';
import { storageStates } from './states/storage-states.ts';
import { viewStates } from './states/view-states.ts';

/** Everything that there is to look at, by name. */
export const galleryStates: ReadonlyMap<string, GalleryState> = new Map(
  Object.entries({
    ...backgroundStates('popup', 'popup'),
    ...storageStates('popup', 'popup'),
    ...viewStates,
    ...backgroundStates('options', '#/preferences'),
    ...storageStates('options', '#/preferences'),
    ...partStates,
  }),
);
