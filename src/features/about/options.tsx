import { Fragment, useState } from 'react';

import type { ExtensionInfo } from './background.ts';
import { CallResult } from '../../ui/call-result.tsx';
import { useQuery, useSubscription } from '../../ui/calls.ts';
import { Button } from '../../ui/controls.tsx';
import { useTranslate } from '../../ui/extension.ts';
import { formatBytes, formatTime, type Translate } from '../../ui/text.ts';
import { Section, ViewHeading } from '../../ui/view.tsx';
import type { StorageState } from '../stored-data/background.ts';

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
  const unknown = t(storage.status === 'failed' ? 'storage_needed' : 'about_loading');
  return (
    <CallResult state={useQuery('extension.info')} loading={t('about_loading')}>
      {(info) => {
        const stored = documents === undefined ? unknown : describeDocuments(documents, t);
        const facts = listFacts(info, stored, t);
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

/** Names and values, in the order in which they are shown. */
function listFacts(
  info: ExtensionInfo,
  stored: string,
  t: Translate,
): readonly (readonly [name: string, value: string])[] {
  const { version, id, browser, permissions, storedBytes, starts } = info;
  const language = t('text_language');
  // `scripts/build-extension.ts` sets it. It is empty in packages.
  const commit = import.meta.env['VITE_COMMIT'] as string | undefined;
  return [
    [t('about_version'), commit ? `${version} (${commit})` : version],
    [t('about_id'), id],
    [t('about_browser'), browser],
    [t('about_permissions'), permissions.join(', ') || t('about_none')],
    [
      t('about_storage'),
      storedBytes === undefined ? t('about_storage_unknown') : formatBytes(storedBytes, language),
    ],
    [t('about_documents'), stored],
    [
      t('about_starts'),
      t('about_starts_value', {
        count: String(starts.count),
        time: formatTime(starts.latest, language, 'date'),
      }),
    ],
  ];
}

function describeDocuments(documents: StorageState['documents'], t: Translate): string {
  const stored = documents.map(({ key, version }) =>
    version === undefined ? key : t('about_document', { name: key, version: String(version) }),
  );
  return stored.join(', ') || t('about_none');
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
