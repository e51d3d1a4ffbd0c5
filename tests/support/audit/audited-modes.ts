import type { Emulation } from '../../../scripts/browsers/running-extension.ts';

export type AuditedLanguage = 'english' | 'doubled' | 'mirrored';

interface AuditedMode {
  readonly name: string;
  readonly language: AuditedLanguage;
  /** Whether `npm test` looks at it; the soak looks at all. */
  readonly isQuick: boolean;
  /** As the person has zoomed the pages: 2 for 200 %. */
  readonly zoom: number;
  readonly emulation: Required<Emulation>;
}

const WIDE = { width: 1_280, height: 800 };
const plain = {
  language: 'english',
  isQuick: false,
  zoom: 1,
  emulation: { colorScheme: 'light', reducedMotion: false, forcedColors: false, viewport: WIDE },
} as const satisfies Omit<AuditedMode, 'name'>;

/** What people set in their system, browser and window. */
export const auditedModes: readonly AuditedMode[] = [
  { ...plain, name: 'light' },
  { ...plain, name: 'dark', isQuick: true, emulation: { ...plain.emulation, colorScheme: 'dark' } },
  { ...plain, name: 'forced colours', isQuick: true, emulation: { ...plain.emulation, forcedColors: true } },
  { ...plain, name: 'reduced motion', emulation: { ...plain.emulation, reducedMotion: true } },
  { ...plain, name: 'zoomed to 200 %', zoom: 2 },
  {
    ...plain,
    name: '320 px wide',
    isQuick: true,
    emulation: { ...plain.emulation, viewport: { width: 320, height: 640 } },
  },
  { ...plain, name: 'doubled text', language: 'doubled' },
  { ...plain, name: 'right to left', isQuick: true, language: 'mirrored' },
];
