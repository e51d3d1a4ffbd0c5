import { type RefObject, useEffect, useMemo, useRef, useSyncExternalStore } from 'react';

import { PreferencesProvider } from '../features/preferences/theme.tsx';
import { StorageNotice } from '../features/stored-data/notice.tsx';
import { BackgroundStatus } from '../ui/background-status.tsx';
import { type Extension, useTranslate } from '../ui/extension.ts';
import { Page } from '../ui/page.tsx';
import { Content, ViewHeading } from '../ui/view.tsx';
import styles from './options.module.css';
import { findRoute, type Route, type View, type Views, views as allViews } from './views.tsx';

interface OptionsPageProps {
  readonly extension: Extension;
  readonly views?: Views;
}

/** The page that opens in its own tab. */
export function OptionsPage({ extension, views = allViews }: OptionsPageProps) {
  return (
    <Page extension={extension}>
      <PreferencesProvider>
        <Options views={views} />
      </PreferencesProvider>
    </Page>
  );
}

/** Shows the sidebar and the view that the address names. */
function Options({ views }: { readonly views: Views }) {
  const t = useTranslate();
  const hash = useHash();
  const route = useMemo(() => findRoute(hash, views), [hash, views]);
  const main = useRef<HTMLElement>(null);
  useArrival(pathOf(hash, views), main);

  return (
    <div className={styles['frame']}>
      <button
        type="button"
        className={`button visually-hidden ${styles['skip']}`}
        onClick={() => main.current?.focus()}
      >
        {t('options_skip')}
      </button>
      <Sidebar views={views} route={route} />
      <main ref={main} tabIndex={-1} className={styles['main']}>
        <StorageNotice link={route?.view === 'preferences' ? undefined : { href: '#/preferences' }} />
        {route?.content ?? <UnknownAddress key={hash} address={hash} start={views[0]} />}
      </main>
    </div>
  );
}

interface SidebarProps {
  readonly views: Views;
  readonly route: Route | undefined;
}

function Sidebar({ views, route }: SidebarProps) {
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
      <div className={styles['background']}>
        <BackgroundStatus />
      </div>
    </header>
  );
}

/** Returns the value of `aria-current` for a view: `page`, or `true` if the page is a part of the view. */
function currentOf(name: string, route: Route | undefined): 'page' | 'true' | undefined {
  if (route?.view !== name) return undefined;
  return route.part === undefined ? 'page' : 'true';
}

interface UnknownAddressProps {
  readonly address: string;
  /** The view that the link leads to. */
  readonly start: View;
}

/** Content of an address that does not belong to a view. */
function UnknownAddress({ address, start }: UnknownAddressProps) {
  const t = useTranslate();
  return (
    <>
      <ViewHeading name="unknown_address" />
      <Content>
        <p>
          {t('unknown_address_explained')} <code>{address}</code>
        </p>
      </Content>
      <a className="target" href={`#/${start.name}`}>
        {t('unknown_address_back', { view: t(start.name) })}
      </a>
    </>
  );
}

/**
 * Moves the focus when a view opens, so that screen readers announce it and the keyboard continues from there. The focus
 * goes to the element that the address names, or to the heading. When the person goes back, it goes to the link that
 * they followed. It does not move when the page opens without an address, or when only the query changes.
 */
function useArrival(path: string, main: RefObject<HTMLElement | null>): void {
  const shown = useRef<string>(undefined);

  useEffect(() => {
    const before = shown.current;
    shown.current = path;
    if (before === path || (before === undefined && location.hash === '')) return;
    const links = main.current?.querySelectorAll('a') ?? [];
    const back =
      before?.startsWith(`${path}/`) === true &&
      [...links].find((link) => link.hash.replace(/\?.*$/su, '') === before);
    const target = back || main.current?.querySelector<HTMLElement>('[data-arrival]');
    (target ?? main.current?.querySelector('h1'))?.focus();
  }, [path, main]);

  // `base.css` shows the focus ring of a heading only if the last input was a key.
  useEffect(() => {
    const note = ({ type }: Event): void => main.current?.setAttribute('data-input', type);
    const types = ['pointerdown', 'keydown'];
    for (const type of types) addEventListener(type, note, true);
    return () => {
      for (const type of types) removeEventListener(type, note, true);
    };
  }, [main]);
}

/** Returns the address of a view or of its part, without the query. An empty address leads to the first view. */
function pathOf(hash: string, views: Views): string {
  const path = hash.replace(/\?.*$/su, '');
  return /^#?\/?$/u.test(path) ? `#/${views[0].name}` : path;
}

/** Returns `location.hash`. */
function useHash(): string {
  return useSyncExternalStore(
    (listener) => {
      addEventListener('hashchange', listener);
      return () => removeEventListener('hashchange', listener);
    },
    () => location.hash,
  );
}
