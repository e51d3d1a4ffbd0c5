import { points } from '../../SPEC_GAPS.md';
import { BackgroundStatus } from '../ui/background-status.tsx';
import { pointAddress } from '../ui/point-address.ts';
import { PointGrid } from '../ui/point-grid.tsx';
import { useTranslate } from '../ui/use-translate.ts';
import numbers from './point-numbers.module.css';
import type { Route } from './route.ts';
import styles from './sidebar.module.css';

const views = ['specification', 'preferences', 'messages', 'about'] as const;

/** The way around the options page, and the state of the background. */
export function Sidebar({ route }: { readonly route: Route | undefined }) {
  const t = useTranslate();
  return (
    <header className={styles['sidebar']}>
      <p className={styles['name']}>{t('extension_name')}</p>
      <nav aria-label={t('options_views')}>
        <ul className={styles['views']}>
          {views.map((view) => (
            <li key={view}>
              <a className={styles['view']} href={`#/${view}`} aria-current={currentOf(view, route)}>
                {t(view)}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <nav aria-label={t('points')} className={styles['points']}>
        <PointGrid
          points={points}
          current={route?.view === 'point' ? route.id : undefined}
          look={numbers}
          linkTo={(id) => ({ href: pointAddress(id) })}
        >
          <li aria-hidden="true" className={numbers['caption']}>
            {t('points')}
          </li>
        </PointGrid>
      </nav>
      <div className={styles['background']}>
        <BackgroundStatus />
      </div>
    </header>
  );
}

/** A point is a page of its own below the specification. */
function currentOf(view: (typeof views)[number], route: Route | undefined): 'page' | 'true' | undefined {
  if (route?.view === view) return 'page';
  return view === 'specification' && route?.view === 'point' ? 'true' : undefined;
}
