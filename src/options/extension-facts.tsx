import { CallResult } from '../ui/call-result.tsx';
import { useQuery } from '../ui/use-query.ts';
import { useTranslate } from '../ui/use-translate.ts';
import styles from './extension-facts.module.css';
import type { MeasureStorage } from './measure-storage.ts';
import { PermissionList } from './permission-list.tsx';
import { StorageInUse } from './storage-in-use.tsx';

/** What the running extension says of itself. */
export function ExtensionFacts({ measureStorage }: { readonly measureStorage: MeasureStorage }) {
  const t = useTranslate();
  return (
    <CallResult state={useQuery('extension.info')} loading={t('about_loading')}>
      {({ version, browser, permissions }) => (
        <dl className={styles['facts']}>
          <dt>{t('about_version')}</dt>
          <dd>{version}</dd>
          <dt>{t('about_browser')}</dt>
          <dd>{browser}</dd>
          <dt>{t('about_permissions')}</dt>
          <dd>
            <PermissionList permissions={permissions} />
          </dd>
          <dt>{t('about_storage')}</dt>
          <dd>
            <StorageInUse measure={measureStorage} />
          </dd>
        </dl>
      )}
    </CallResult>
  );
}
