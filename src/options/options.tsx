import { type RefObject, useEffect, useMemo, useRef, useSyncExternalStore } from 'react';

import { points } from '../../SPEC_GAPS.md?points';
import type { GapId } from '../contract/spec-gaps.ts';
import { BackgroundStatus } from '../ui/background-status.tsx';
import { type Extension, useTranslate } from '../ui/extension.ts';
import { Page } from '../ui/page.tsx';
import { pointAddress, PointGrid } from '../ui/points.tsx';
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
  useArrival(hash, main);

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
      <main ref={main} tabIndex={-1} className={styles['main']}>
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
      {/* Where the content is the list of the points, they are not listed twice. */}
      {route && (route.view !== views[0].name || route.part !== undefined) && (
        <nav aria-label={t('points')} className={styles['points']}>
          <PointGrid
            points={points}
            current={currentPoint(route)}
            look={styles}
            linkTo={(id) => ({ href: pointAddress(id) })}
          >
            <li aria-hidden="true" className={styles['caption']}>
              {t('points')}
            </li>
          </PointGrid>
        </nav>
      )}
      <div className={styles['background']}>
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

/** The point that an address names, by its id or by the number of one of its questions. */
function currentPoint({ part }: Route): GapId | undefined {
  return points.find(({ id, number }) => id === part || part?.startsWith(`${number}.`))?.id;
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

/**
 * Moves the focus to what was opened, so that a screen reader reads it and the keyboard continues from there: the heading,
 * the question that the address names, or, on the way back, the link to where the person was. Not when the page opens
 * without an address within it, and not when only the query changes: the view is the same.
 */
function useArrival(hash: string | undefined, main: RefObject<HTMLElement | null>): void {
  const shown = useRef<string>(undefined);
  const path = hash?.replace(/\?.*$/su, '');

  useEffect(() => {
    const before = shown.current;
    shown.current = path;
    if (path === undefined || before === path || (before === undefined && path === '')) return;
    const links = main.current?.querySelectorAll('a') ?? [];
    const back =
      before?.startsWith(`${path}/`) === true &&
      [...links].find((link) => link.hash.replace(/\?.*$/su, '') === before);
    const target = back || main.current?.querySelector<HTMLElement>('[data-arrival]');
    (target ?? main.current?.querySelector('h1'))?.focus();
  }, [path, main]);

  // `base.css` frames a heading that takes the focus only after a key, not after a click.
  useEffect(() => {
    const note = ({ type }: Event): void => main.current?.setAttribute('data-input', type);
    const types = ['pointerdown', 'keydown'];
    for (const type of types) addEventListener(type, note, true);
    return () => {
      for (const type of types) removeEventListener(type, note, true);
    };
  }, [main]);
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
