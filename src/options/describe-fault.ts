import { formatNumber } from '../ui/format-number.ts';
import type { Translate } from '../ui/translate.ts';
import type { WrongFile } from './parse-file.ts';

/** One thing that is wrong with a file, in a sentence that says where. */
export function describeFault(fault: WrongFile, t: Translate): string {
  switch (fault.reason) {
    case 'too-large':
      return t('file_too_large');
    case 'no-file':
      return t('file_gone');
    case 'no-json': {
      const language = t('text_language');
      const [line, column] = [formatNumber(fault.line, language), formatNumber(fault.column, language)];
      return t('file_no_json', { line, column });
    }
    case 'newer':
      return t('file_newer', { path: fault.path.join('.') });
    case 'unknown':
      return t('file_unknown', { path: fault.path.join('.') });
    case 'shape': {
      const { expected = '?', received = '?' } = fault;
      const path = fault.path.join('.');
      if (path === '') return t('file_shape_top', { expected, received });
      return received === 'undefined'
        ? t('file_missing', { path })
        : t('file_shape', { path, expected, received });
    }
  }
}
