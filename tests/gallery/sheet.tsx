import type { Theme } from '../../src/contract/preferences.ts';
import { galleryStates } from './gallery-states.ts';
import { StateFrame } from './state-frame.tsx';

interface SheetProps {
  /** Of each page in CSS px; what suits it unless told. */
  readonly width: number | undefined;
  readonly direction: string;
  readonly theme: Theme;
}

/** Every state in a page of its own, side by side. */
export function Sheet({ width, direction, theme }: SheetProps) {
  return (
    <>
      <h1 className="visually-hidden">All states</h1>
      <div className="sheet">
        {Array.from(galleryStates, ([name, { subject }]) => (
          <figure key={name}>
            <figcaption>{name}</figcaption>
            <StateFrame name={name} subject={subject} width={width} direction={direction} theme={theme} />
          </figure>
        ))}
      </div>
    </>
  );
}
