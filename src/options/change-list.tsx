import type { StorageChange } from '../contract/storage-file.ts';
import type { Json } from '../messaging/json.ts';
import { useTranslate } from '../ui/use-translate.ts';
import styles from './change-list.module.css';

/** What an import would change: value by value, before and after. */
export function ChangeList({ changes }: { readonly changes: readonly StorageChange[] }) {
  const t = useTranslate();
  const show = (value: Json | undefined): string =>
    value === undefined ? t('import_nothing') : JSON.stringify(value);

  return (
    <dl className={styles['changes']}>
      {changes.map(({ path, from, to }) => (
        <div key={path.join('/')}>
          <dt>
            <code>{path.join('.')}</code>
          </dt>
          <dd>
            <del>{show(from)}</del> <ins>{show(to)}</ins>
          </dd>
        </div>
      ))}
    </dl>
  );
}
