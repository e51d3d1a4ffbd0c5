import { Fragment, useState } from 'react';

import type { ExtensionInfo } from '../../contract.ts';
import { CallResult } from '../../ui/call-result.tsx';
import { useQuery, useSubscription } from '../../ui/calls.ts';
import { Button } from '../../ui/controls.tsx';
import { useTranslate } from '../../ui/extension.ts';
import { formatBytes, formatDate, type Translate } from '../../ui/text.ts';
import { Section, ViewHeading } from '../../ui/view.tsx';
import type { StorageState } from '../stored-data/contract.ts';

/** The view with facts about the running extension. */
export function AboutView() {
  const t = useTranslate();
  return (
    <>
      <ViewHeading title={t('about')} />
      <Section title={t('about_extension')}>
        <p>{t('extension_description')}</p>
        <ExtensionFacts />
      </Section>
    </>
  );
}

/** Shows names and values, with a button that copies them as text for a bug report. */
function ExtensionFacts() {
  const t = useTranslate();
  const storage = useSubscription('storage.watch');
  const documents = storage.status === 'ready' ? storage.value.documents : undefined;
  return (
    <CallResult state={useQuery('extension.info')} loading={t('about_loading')}>
      {(info) => {
        const facts = describeExtension(info, documents, t);
        return (
          <>
            <dl className="facts">
              {facts.map(([name, value]) => (
                <Fragment key={name}>
                  <dt>{name}</dt>
                  <dd>{value}</dd>
                </Fragment>
              ))}
            </dl>
            <CopyFacts text={facts.map(([name, value]) => `${name}: ${value}`).join('\n')} />
          </>
        );
      }}
    </CallResult>
  );
}

/** Names and values, in the order in which they are shown. The documents are `undefined` until they are known. */
function describeExtension(
  info: ExtensionInfo,
  documents: StorageState['documents'] | undefined,
  t: Translate,
): readonly (readonly [name: string, value: string])[] {
  const { version, id, browser, permissions, storedBytes, starts } = info;
  const language = t('text_language');
  // `scripts/build-extension.ts` sets it. It is empty in packages.
  const commit = import.meta.env['VITE_COMMIT'] as string | undefined;
  const stored = documents?.map(({ key, version: written }) =>
    written === undefined ? key : t('about_document', { name: key, version: String(written) }),
  );
  return [
    [t('about_version'), commit ? `${version} (${commit})` : version],
    [t('about_id'), id],
    [t('about_browser'), browser],
    [t('about_permissions'), permissions.join(', ') || t('about_none')],
    [
      t('about_storage'),
      storedBytes === undefined ? t('about_storage_unknown') : formatBytes(storedBytes, language),
    ],
    [t('about_documents'), stored === undefined ? t('storage_needed') : stored.join(', ') || t('about_none')],
    [
      t('about_starts'),
      t('about_starts_value', {
        count: String(starts.count),
        time: formatDate(starts.latest, language),
      }),
    ],
  ];
}

function CopyFacts({ text }: { readonly text: string }) {
  const t = useTranslate();
  const [ended, setEnded] = useState<'done' | 'failed'>();
  const copy = (): void =>
    void navigator.clipboard.writeText(text).then(
      () => setEnded('done'),
      () => setEnded('failed'),
    );
  return (
    <div className="wrap">
      <Button onPress={copy}>{t('about_copy')}</Button>
      <p role="status" className="status">
        {ended === 'done' && t('about_copied')}
        {ended === 'failed' && t('copy_failed')}
      </p>
    </div>
  );
}
