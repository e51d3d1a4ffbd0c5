import { useTranslate } from '../ui/use-translate.ts';

/** What the browser has granted to the extension. */
export function PermissionList({ permissions }: { readonly permissions: readonly string[] }) {
  const t = useTranslate();
  if (permissions.length === 0) return t('about_permissions_none');
  return <code>{permissions.join(', ')}</code>;
}
