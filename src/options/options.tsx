import { useRef } from 'react';

import { useTranslate } from '../ui/use-translate.ts';
import type { MeasureStorage } from './measure-storage.ts';
import styles from './options.module.css';
import { Sidebar } from './sidebar.tsx';
import { useRoute } from './use-route.ts';
import { View } from './view.tsx';

/** The frame of the options page, and in it the view that the address names. */
export function Options({ measureStorage }: { readonly measureStorage: MeasureStorage }) {
  const t = useTranslate();
  const route = useRoute();
  const main = useRef<HTMLElement>(null);

  return (
    <div className={styles['frame']}>
      <button type="button" className={styles['skip']} onClick={() => main.current?.focus()}>
        {t('options_skip')}
      </button>
      <Sidebar route={route} />
      <main ref={main} tabIndex={-1} className={styles['main']}>
        {route && <View route={route} measureStorage={measureStorage} />}
      </main>
    </div>
  );
}
