import { Fragment, type ReactNode, useRef, useState } from 'react';

import type { ExtensionInfo } from './background.ts';
import { CallResult } from '../../ui/call-result.tsx';
import { type CallState, useQuery, useSubscription } from '../../ui/calls.ts';
import { Button } from '../../ui/controls.tsx';
import { useTranslate } from '../../ui/extension.ts';
import { formatBytes, formatTime, type Translate } from '../../ui/text.ts';
import { Section, ViewHeading } from '../../ui/view.tsx';
import type { StorageState } from '../stored-data/background.ts';

interface AboutViewProps {
  /** Names and values of other features, as `<dt>` and `<dd>`. */
  readonly children?: ReactNode;
}

/** The view with facts about the running extension. */
export function AboutView({ children }: AboutViewProps) {
  const t = useTranslate();
  const storage = useSubscription('storage.watch');
  const list = useRef<HTMLDListElement>(null);
  return (
    <>
      <ViewHeading title={t('about')} />
      <Section title={t('about_extension')}>
        <p>{t('extension_description')}</p>
        <CallResult state={useQuery('extension.info')}>
          {(info) => (
            <>
              <dl ref={list} className="facts">
                {listFacts(info, storage, t).map(([name, value]) => (
                  <Fragment key={name}>
                    <dt>{name}</dt>
                    <dd>{value}</dd>
                  </Fragment>
                ))}
                {children}
              </dl>
              <CopyButton read={() => readFacts(list.current)} />
            </>
          )}
        </CallResult>
      </Section>
    </>
  );
}

/** Names and values, in the order in which they are shown. */
function listFacts(
  { version, id, browser, permissions, storedBytes, starts }: ExtensionInfo,
  storage: CallState<StorageState>,
  t: Translate,
): readonly (readonly [name: string, value: string])[] {
  const language = t('text_language');
  const time = formatTime(starts.latest, language, 'date');
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
    [t('about_documents'), describeDocuments(storage, t)],
    [t('about_starts'), t('about_starts_value', { count: String(starts.count), time })],
  ];
}

function describeDocuments(storage: CallState<StorageState>, t: Translate): string {
  if (storage.status !== 'ready') return t(storage.status === 'failed' ? 'storage_needed' : 'loading');
  const stored = storage.value.documents.map(({ key, version }) =>
    version === undefined ? key : t('about_document', { name: key, version: String(version) }),
  );
  return stored.join(', ') || t('about_none');
}

/** Returns the facts as they are shown, as text. A name may have several values, one in each line. */
function readFacts(list: HTMLDListElement | null): string {
  const texts = [...(list?.children ?? [])].map((fact) => {
    if (fact.matches('dt')) return `\n${fact.textContent}: `;
    return fact.matches('dd + dd') ? `\n${fact.textContent}` : fact.textContent;
  });
  return texts.join('').trim();
}

function CopyButton({ read }: { readonly read: () => string }) {
  const t = useTranslate();
  const [ended, setEnded] = useState<'done' | 'failed'>();
  const copy = (): void =>
    void navigator.clipboard.writeText(read()).then(
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
