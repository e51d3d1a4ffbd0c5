import { points } from '../../SPEC_GAPS.md';
import { BackgroundStatus } from '../ui/background-status.tsx';
import { pointAddress } from '../ui/point-address.ts';
import { PointGrid } from '../ui/point-grid.tsx';
import { SpecifiedSummary } from '../ui/specified-summary.tsx';
import { StorageNotice } from '../ui/storage-notice.tsx';
import { useTranslate } from '../ui/use-translate.ts';
import type { OpenOptions } from './open-options.ts';
import { optionsLink } from './options-link.ts';
import tiles from './point-tiles.module.css';
import styles from './popup.module.css';

export function Popup({ openOptions }: { readonly openOptions: OpenOptions }) {
  const t = useTranslate();
  return (
    <main className={styles['popup']}>
      <header className={styles['header']}>
        <h1 className={styles['name']}>{t('extension_name')}</h1>
        <a className={styles['options']} {...optionsLink('', openOptions)}>
          {t('popup_options')}
        </a>
      </header>
      <StorageNotice link={optionsLink('#/preferences', openOptions)} />
      <div className={styles['summary']}>
        <SpecifiedSummary />
      </div>
      <nav aria-label={t('points')}>
        <PointGrid points={points} look={tiles} linkTo={(id) => optionsLink(pointAddress(id), openOptions)} />
      </nav>
      <footer className={styles['footer']}>
        <BackgroundStatus />
      </footer>
    </main>
  );
}
