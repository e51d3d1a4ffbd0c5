import { useEffect, useRef } from 'react';

import { StorageNotice } from '../ui/storage-notice.tsx';
import { useTranslate } from '../ui/use-translate.ts';
import type { MeasureStorage } from './measure-storage.ts';
import styles from './options.module.css';
import type { Route } from './route.ts';
import { Sidebar } from './sidebar.tsx';
import { useRoute } from './use-route.ts';
import { View } from './view.tsx';

/** The frame of the options page, and in it the view that the address names. */
export function Options({ measureStorage }: { readonly measureStorage: MeasureStorage }) {
  const t = useTranslate();
  const route = useRoute();
  const main = useRef<HTMLElement>(null);
  const shown = useRef<Route>(undefined);

  useEffect(() => {
    const isOpening = shown.current === undefined;
    if (route === shown.current) return;
    shown.current = route;
    // What is gone to takes the focus, so that a screen reader reads it and the keyboard goes on from it; not when the
    // page was opened without an address within it.
    if (!isOpening || location.hash !== '') main.current?.querySelector('h1')?.focus();
  }, [route]);

  return (
    <div className={styles['frame']}>
      <button type="button" className={styles['skip']} onClick={() => main.current?.focus()}>
        {t('options_skip')}
      </button>
      <Sidebar route={route} />
      <main ref={main} tabIndex={-1} className={styles['main']}>
        <StorageNotice {...(route?.view !== 'preferences' && { link: { href: '#/preferences' } })} />
        {route && <View route={route} measureStorage={measureStorage} />}
      </main>
    </div>
  );
}
