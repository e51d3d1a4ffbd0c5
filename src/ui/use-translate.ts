import type { Translate } from './translate.ts';
import { useExtension } from './use-extension.ts';

/** `const t = useTranslate()`, then `t('popup_options')`. */
export function useTranslate(): Translate {
  return useExtension().translate;
}
