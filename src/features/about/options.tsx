import { type ReactNode, useRef, useState } from 'react';

import { CallResult } from '../../ui/call-result.tsx';
import { useQuery } from '../../ui/calls.ts';
import { Button } from '../../ui/controls.tsx';
import { useTranslate } from '../../ui/extension.ts';
import { formatTime } from '../../ui/text.ts';
import { Status } from '../../ui/status.tsx';
import { Section } from '../../ui/view.tsx';

/** The view with facts about the running extension. Other features add theirs as `<dt>` and `<dd>`. */
export function AboutView({ children }: { readonly children?: ReactNode }) {
  const t = useTranslate();
  const [result, setResult] = useState({ text: '' });
  const list = useRef<HTMLDListElement>(null);
  const copy = (): void =>
    void navigator.clipboard.writeText(readFacts(list.current)).then(
      () => setResult({ text: t('about_copied') }),
      () => setResult({ text: t('copy_failed') }),
    );

  return (
    <Section title={t('about_extension')}>
      <p>{t('extension_description')}</p>
      <CallResult state={useQuery('extension.info')}>
        {({ version, id, permissions, starts: { count, latest } }) => (
          <>
            <dl ref={list} className="facts">
              <dt>{t('about_version')}</dt>
              <dd>{COMMIT ? `${version} (${COMMIT})` : version}</dd>
              <dt>{t('about_id')}</dt>
              <dd>{id}</dd>
              <dt>{t('about_browser')}</dt>
              <dd>{navigator.userAgent}</dd>
              <dt>{t('about_permissions')}</dt>
              <dd>{permissions.join(', ') || t('about_none')}</dd>
              <dt>{t('about_starts')}</dt>
              <dd>
                {t('about_starts_value', {
                  count: String(count),
                  time: formatTime(latest, t('text_language'), 'date'),
                })}
              </dd>
              {children}
            </dl>
            <div className="wrap">
              <Button onPress={copy}>{t('about_copy')}</Button>
              <Status text={result.text} occasion={result} />
            </div>
          </>
        )}
      </CallResult>
    </Section>
  );
}

const COMMIT = import.meta.env.COMMIT;

/** Returns the shown facts as text, with one value in each line. */
function readFacts(list: HTMLDListElement | null): string {
  const texts = [...(list?.children ?? [])].map((fact) => {
    if (fact.matches('dt')) return `\n${fact.textContent}: `;
    return fact.matches('dd + dd') ? `\n${fact.textContent}` : fact.textContent;
  });
  return texts.join('').trim();
}
