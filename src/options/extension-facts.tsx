import { CallFailure } from '../ui/call-failure.tsx';
import { useQuery } from '../ui/use-query.ts';
import { useTranslate } from '../ui/use-translate.ts';
import styles from './extension-facts.module.css';
import type { MeasureStorage } from './measure-storage.ts';
import { PermissionList } from './permission-list.tsx';
import { StorageInUse } from './storage-in-use.tsx';

/** What the running extension says of itself. */
export function ExtensionFacts({ measureStorage }: { readonly measureStorage: MeasureStorage }) {
  const t = useTranslate();
  const info = useQuery('extension.info');

  switch (info.status) {
    case 'loading':
      return <p role="status">{t('about_loading')}</p>;
    case 'failed':
      return <CallFailure error={info.error} onRetry={info.retry} />;
    case 'ready':
      return (
        <dl className={styles['facts']}>
          <dt>{t('about_version')}</dt>
          <dd>{info.value.version}</dd>
          <dt>{t('about_browser')}</dt>
          <dd>{info.value.browser}</dd>
          <dt>{t('about_permissions')}</dt>
          <dd>
            <PermissionList permissions={info.value.permissions} />
          </dd>
          <dt>{t('about_storage')}</dt>
          <dd>
            <StorageInUse measure={measureStorage} />
          </dd>
        </dl>
      );
  }
}
