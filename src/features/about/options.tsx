import { Fragment, type ReactNode, useRef, useState } from 'react';

import type { ExtensionInfo } from './background.ts';
import { CallResult } from '../../ui/call-result.tsx';
import { useQuery } from '../../ui/calls.ts';
import { Button } from '../../ui/controls.tsx';
import { useTranslate } from '../../ui/extension.ts';
import { formatTime, type Translate } from '../../ui/text.ts';
import { Section, ViewHeading } from '../../ui/view.tsx';

interface AboutViewProps {
  /** Names and values of other features, as `<dt>` and `<dd>`. */
  readonly children?: ReactNode;
}

/** The view with facts about the running extension. */
export function AboutView({ children }: AboutViewProps) {
  const t = useTranslate();
  const [result, setResult] = useState('');
  const list = useRef<HTMLDListElement>(null);
  const copy = (): void =>
    void navigator.clipboard.writeText(readFacts(list.current)).then(
      () => setResult(t('about_copied')),
      () => setResult(t('copy_failed')),
    );

  return (
    <>
      <ViewHeading title={t('about')} />
      <Section title={t('about_extension')}>
        <p>{t('extension_description')}</p>
        <CallResult state={useQuery('extension.info')}>
          {(info) => (
            <>
              <dl ref={list} className="facts">
                {listFacts(info, t).map(([name, value]) => (
                  <Fragment key={name}>
                    <dt>{name}</dt>
                    <dd>{value}</dd>
                  </Fragment>
                ))}
                {children}
              </dl>
              <div className="wrap">
                <Button onPress={copy}>{t('about_copy')}</Button>
                <p role="status" className="status">
                  {result}
                </p>
              </div>
            </>
          )}
        </CallResult>
      </Section>
    </>
  );
}

/** Returns names and values, in the order in which they are shown. */
function listFacts(
  { version, id, permissions, starts }: ExtensionInfo,
  t: Translate,
): readonly (readonly [name: string, value: string])[] {
  const time = formatTime(starts.latest, t('text_language'), 'date');
  // `scripts/build-extension.ts` sets it. It is empty in packages.
  const commit = import.meta.env['VITE_COMMIT'] as string | undefined;
  return [
    [t('about_version'), commit ? `${version} (${commit})` : version],
    [t('about_id'), id],
    [t('about_browser'), navigator.userAgent],
    [t('about_permissions'), permissions.join(', ') || t('about_none')],
    [t('about_starts'), t('about_starts_value', { count: String(starts.count), time })],
  ];
}

/** Returns the shown facts as text, with one value in each line. */
function readFacts(list: HTMLDListElement | null): string {
  const texts = [...(list?.children ?? [])].map((fact) => {
    if (fact.matches('dt')) return `\n${fact.textContent}: `;
    return fact.matches('dd + dd') ? `\n${fact.textContent}` : fact.textContent;
  });
  return texts.join('').trim();
}
