import { useEffect, useMemo, useRef, useSyncExternalStore } from 'react';

import { points } from '../../SPEC_GAPS.md?points';
import { BackgroundStatus } from '../ui/background-status.tsx';
import { type Extension, useTranslate } from '../ui/extension.ts';
import { Page } from '../ui/page.tsx';
import { pointAddress, PointGrid, usePageKeys } from '../ui/points.tsx';
import { StorageNotice } from '../ui/storage-notice.tsx';
import styles from './options.module.css';
import { ViewHeading } from './view-parts.tsx';
import { findRoute, type Route, views } from './views.tsx';

/** The options page: `main.tsx` brings it to life, the build renders its frame. */
export function OptionsPage({ extension }: { readonly extension: Extension }) {
  return (
    <Page extension={extension}>
      <Options />
    </Page>
  );
}

/** The frame of the page, and in it the view that the address names. */
function Options() {
  const t = useTranslate();
  const hash = useHash();
  const route = useMemo(() => (hash === undefined ? undefined : findRoute(hash)), [hash]);
  const main = useRef<HTMLElement>(null);
  const shown = useRef<string>(undefined);
  const isSearching = useRef(false);

  usePageKeys((key) => {
    if (key !== '/') return;
    // The search is part of the first view.
    isSearching.current = true;
    location.hash = `#/${views[0].name}`;
  });

  useEffect(() => {
    const isOpening = shown.current === undefined;
    if (hash === shown.current) return;
    shown.current = hash;
    // Moves the focus to what was opened, so that a screen reader reads it and the keyboard goes on from it; not when the
    // page was opened without an address within it.
    if (isOpening && location.hash === '') return;
    const target = isSearching.current ? 'input[type=search]' : 'h1';
    isSearching.current = false;
    main.current?.querySelector<HTMLElement>(target)?.focus();
  }, [hash]);

  return (
    <div className={styles['frame']}>
      <button
        type="button"
        className={`button visually-hidden ${styles['skip']}`}
        onClick={() => main.current?.focus()}
      >
        {t('options_skip')}
      </button>
      <Sidebar route={route} />
      <main ref={main} tabIndex={-1}>
        <StorageNotice {...(route?.view !== 'preferences' && { link: { href: '#/preferences' } })} />
        {route?.content ?? (hash !== undefined && <UnknownAddress key={hash} address={hash} />)}
      </main>
    </div>
  );
}

/** The way around the options page, and the state of the background. */
function Sidebar({ route }: { readonly route: Route | undefined }) {
  const t = useTranslate();
  return (
    <header className={`stack ${styles['sidebar']}`}>
      <p className={styles['extension']}>{t('extension_name')}</p>
      <nav aria-label={t('options_views')}>
        <ul className={styles['views']}>
          {views.map(({ name }) => (
            <li key={name}>
              <a
                className={`target ${styles['view']}`}
                href={`#/${name}`}
                aria-current={currentOf(name, route)}
              >
                {t(name)}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <nav aria-label={t('points')}>
        <PointGrid
          points={points}
          current={points.find(({ id }) => id === route?.part)?.id}
          look={styles}
          linkTo={(id) => ({ href: pointAddress(id) })}
        >
          <li aria-hidden="true" className={styles['caption']}>
            {t('points')}
          </li>
        </PointGrid>
      </nav>
      <div>
        <BackgroundStatus />
      </div>
    </header>
  );
}

/** A part of a view is a page of its own below it. */
function currentOf(name: string, route: Route | undefined): 'page' | 'true' | undefined {
  if (route?.view !== name) return undefined;
  return route.part === undefined ? 'page' : 'true';
}

/** In place of a view, at an address that none of them has. */
function UnknownAddress({ address }: { readonly address: string }) {
  const t = useTranslate();
  return (
    <>
      <ViewHeading title={t('unknown_address')} />
      <p className={styles['content']}>
        {t('unknown_address_explained')} <code>{address}</code>
      </p>
      <a className="target" href={`#/${views[0].name}`}>
        {t('unknown_address_back')}
      </a>
    </>
  );
}

/** The page's address within itself. `undefined` in what the build renders, which is the same for every address. */
function useHash(): string | undefined {
  return useSyncExternalStore<string | undefined>(
    (listener) => {
      addEventListener('hashchange', listener);
      return () => removeEventListener('hashchange', listener);
    },
    () => location.hash,
    () => undefined,
  );
}
