import { galleryPages } from '../../tests/gallery/build-gallery.ts';

/** A picture to be taken of the gallery. */
export interface Picture {
  /** Path below the folder for pictures. */
  readonly file: string;
  /** Address within the gallery's extension. */
  readonly address: string;
  /** Size of the window in CSS px; what has to be scrolled to belongs to the picture too. */
  readonly viewport: { readonly width: number; readonly height: number };
}

const THEMES = ['light', 'dark'] as const;

/** Wide enough for two options pages beside each other. */
const WIDE = { width: 2_112, height: 1_200 };

/** The size that the stores ask for. */
const STORE = { width: 1_280, height: 800 };

/** All states: light, dark, as narrow as pages get, and from right to left. */
export const statePictures: readonly Picture[] = [
  { file: 'states/light.png', address: `${galleryPages.sheet}?theme=light`, viewport: WIDE },
  { file: 'states/dark.png', address: `${galleryPages.sheet}?theme=dark`, viewport: WIDE },
  { file: 'states/narrow.png', address: `${galleryPages.sheet}?theme=light&width=320`, viewport: WIDE },
  { file: 'states/rtl.png', address: `${galleryPages.sheet}?theme=light&dir=rtl`, viewport: WIDE },
];

/** What the stores show. */
export const storePictures: readonly Picture[] = THEMES.flatMap((theme) => [
  {
    file: `store/popup-${theme}.png`,
    address: stageOf('popup: background awake', [theme], 1.5),
    viewport: STORE,
  },
  ...['specification', 'point', 'preferences', 'messages', 'about'].map((view) => ({
    file: `store/${view}-${theme}.png`,
    address: stageOf(`options: ${view}`, [theme], 1),
    viewport: STORE,
  })),
]);

/** What the README shows, light beside dark. */
export const readmePictures: readonly Picture[] = [
  {
    file: 'popup.png',
    address: stageOf('popup: background awake', THEMES, 1),
    viewport: { width: 800, height: 520 },
  },
  {
    file: 'options.png',
    address: stageOf('options: specification', THEMES, 0.625),
    viewport: { width: 1_600, height: 500 },
  },
];

function stageOf(name: string, themes: readonly string[], zoom: number): string {
  const query = new URLSearchParams([
    ['name', name],
    ['zoom', String(zoom)],
    ...themes.map((theme) => ['theme', theme]),
  ]);
  return `${galleryPages.stage}?${query}`;
}
