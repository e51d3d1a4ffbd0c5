import { useEffect, useState } from 'react';

import { formatBytes } from './format-bytes.ts';
import { useTranslate } from '../ui/use-translate.ts';
import type { MeasureStorage } from './measure-storage.ts';

type Measured =
  | { readonly status: 'measuring' | 'unknown' }
  | { readonly status: 'known'; readonly bytes: number };

/** How much the extension keeps in this browser, as it was when this was opened. */
export function StorageInUse({ measure }: { readonly measure: MeasureStorage }) {
  const t = useTranslate();
  const [storage, setStorage] = useState<Measured>({ status: 'measuring' });

  useEffect(() => {
    let isShown = true;
    const become = (next: Measured): void => {
      if (isShown) setStorage(next);
    };
    measure().then(
      (bytes) => become({ status: 'known', bytes }),
      () => become({ status: 'unknown' }),
    );
    return () => {
      isShown = false;
    };
  }, [measure]);

  switch (storage.status) {
    case 'measuring':
      return '…';
    case 'known':
      return formatBytes(storage.bytes, t('text_language'));
    case 'unknown':
      return t('about_storage_unknown');
  }
}
