import { useState } from 'react';

import type { Theme } from '../../src/contract/preferences.ts';
import type { GalleryState } from './states.tsx';

interface StateFrameProps {
  readonly name: string;
  readonly subject: GalleryState['subject'];
  /** In CSS px; what suits the subject by default. */
  readonly width?: number | undefined;
  readonly direction?: string;
  readonly theme?: Theme;
}

/** Pixels that a modal question needs, which adds nothing to the height of its page. */
const ROOM = 340;

/** One state, in a page as high as what it shows. */
export function StateFrame({ name, subject, width, direction = 'ltr', theme = 'system' }: StateFrameProps) {
  const [height, setHeight] = useState(100);
  const hash = typeof subject === 'string' && subject !== 'popup' ? subject : '';
  const query = new URLSearchParams({ name, dir: direction, theme });

  function fit({ contentDocument }: HTMLIFrameElement): void {
    const body = contentDocument?.querySelector('body');
    if (!body) return;
    new ResizeObserver(() => {
      setHeight(Math.max(body.offsetHeight, body.querySelector('dialog') === null ? 0 : ROOM));
    }).observe(body);
  }

  return (
    // oxlint-disable-next-line react/iframe-missing-sandbox -- a page of the extension, which is to run as one
    <iframe
      title={name}
      className="state"
      src={`state.html?${query}${hash}`}
      width={width ?? widthOf(subject)}
      height={height}
      onLoad={({ currentTarget }) => fit(currentTarget)}
    />
  );
}

function widthOf(subject: GalleryState['subject']): number {
  if (subject === 'popup') return 360;
  return typeof subject === 'string' ? 1_000 : 480;
}
