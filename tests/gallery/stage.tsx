import type { Theme } from '../../src/contract/preferences.ts';
import { galleryStates } from './gallery-states.ts';
import { StateFrame } from './state-frame.tsx';

interface StageProps {
  readonly name: string;
  /** Side by side. */
  readonly themes: readonly Theme[];
  readonly zoom: number;
}

/** One state, filling the window: the popup on a plain ground, the options page as it is. */
export function Stage({ name, themes, zoom }: StageProps) {
  const state = galleryStates.get(name);
  if (state === undefined) throw new Error(`There is no state "${name}".`);
  return (
    <div className="stage">
      {themes.map((theme) => (
        <div
          key={theme}
          className="scene"
          data-theme={theme}
          data-subject={state.subject === 'popup' ? 'popup' : 'page'}
          style={{ zoom }}
        >
          <StateFrame name={name} subject={state.subject} theme={theme} />
        </div>
      ))}
    </div>
  );
}
