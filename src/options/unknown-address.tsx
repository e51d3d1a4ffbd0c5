import { useTranslate } from '../ui/use-translate.ts';
import styles from './unknown-address.module.css';
import { ViewHeading } from './view-heading.tsx';

/** In place of a view, at an address that none of them has. */
export function UnknownAddress({ address }: { readonly address: string }) {
  const t = useTranslate();
  return (
    <>
      <ViewHeading title={t('unknown_address')} />
      <div className={styles['text']}>
        <p>
          {t('unknown_address_explained')} <code>{address}</code>
        </p>
        <p>
          <a className={styles['back']} href="#/specification">
            {t('unknown_address_back')}
          </a>
        </p>
      </div>
    </>
  );
}
