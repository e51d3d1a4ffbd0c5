import { Fragment, useState } from 'react';

import { choices, leftOut } from '../../SPEC_GAPS.md';
import type { ExtensionInfo } from '../contract/contract.ts';
import type { StorageState } from '../contract/storage.ts';
import { plainText } from '../contract/spec-gaps.ts';
import { CallResult } from '../ui/background-status.tsx';
import { type CallState, useQuery, useSubscription } from '../ui/calls.ts';
import { Button } from '../ui/controls.tsx';
import { useTranslate } from '../ui/extension.ts';
import { formatBytes, formatTime, type Translate } from '../ui/text.ts';
import styles from './options.module.css';
import { Prose, Section, ViewHeading } from './view-parts.tsx';

/** What this extension is, what was chosen for it and what it leaves out. */
export function AboutView() {
  const t = useTranslate();
  return (
    <>
      <ViewHeading title={t('about')} />
      <Section title={t('about_extension')}>
        <ExtensionFacts />
      </Section>
      <Section title={t('about_choices')}>
        <p className="muted">{t('about_choices_intro')}</p>
        <dl className="stack">
          {choices.map(({ name, text, places }) => (
            <div key={name} className={styles['facts']}>
              <dt>{name}</dt>
              <dd>
                <p>
                  <Prose text={text} />
                </p>
                {places.map((place) => (
                  <p key={place.path} className="status">
                    <code>{place.path}</code> · <Prose text={place.text} />
                  </p>
                ))}
              </dd>
            </div>
          ))}
        </dl>
      </Section>
      <Section title={t('about_left_out')}>
        <ul className="list">
          {leftOut.map((text) => (
            <li key={plainText(text)}>
              <Prose text={text} />
            </li>
          ))}
        </ul>
      </Section>
    </>
  );
}

/** What the running extension says of itself, and all of it as text for a bug report. */
function ExtensionFacts() {
  const t = useTranslate();
  const storage = useSubscription('storage.watch');
  return (
    <CallResult state={useQuery('extension.info')} loading={t('about_loading')}>
      {(info) => {
        const facts = describeExtension(info, storage, t);
        return (
          <>
            <dl className={styles['facts']}>
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
function describeExtension(
  info: ExtensionInfo,
  storage: CallState<StorageState>,
  t: Translate,
): readonly (readonly [name: string, value: string])[] {
  const { version, id, browser, permissions, storedBytes, starts } = info;
  const language = t('text_language');
  // `scripts/build-extension.ts` sets it, and not for what is shipped.
  const commit = import.meta.env['VITE_COMMIT'] as string | undefined;
  const documents = storage.status === 'ready' ? storage.value.documents : undefined;
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
        time: formatTime(starts.latest, language, 'second'),
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
