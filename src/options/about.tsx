import { choices, leftOut } from '../../SPEC_GAPS.md';
import { plainText } from '../contract/spec-gaps.ts';
import { CallResult } from '../ui/background-status.tsx';
import { useQuery } from '../ui/calls.ts';
import { useTranslate } from '../ui/extension.ts';
import { formatBytes } from '../ui/text.ts';
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

/** What the running extension says of itself. */
function ExtensionFacts() {
  const t = useTranslate();
  return (
    <CallResult state={useQuery('extension.info')} loading={t('about_loading')}>
      {({ version, browser, permissions, storedBytes }) => (
        <dl className={styles['facts']}>
          <dt>{t('about_version')}</dt>
          <dd>{version}</dd>
          <dt>{t('about_browser')}</dt>
          <dd>{browser}</dd>
          <dt>{t('about_permissions')}</dt>
          <dd>
            {permissions.length === 0 ? t('about_permissions_none') : <code>{permissions.join(', ')}</code>}
          </dd>
          <dt>{t('about_storage')}</dt>
          <dd>
            {storedBytes === undefined
              ? t('about_storage_unknown')
              : formatBytes(storedBytes, t('text_language'))}
          </dd>
        </dl>
      )}
    </CallResult>
  );
}
