import { choices, leftOut } from '../../../SPEC_GAPS.md';
import { useTranslate } from '../../ui/extension.ts';
import { Section } from '../../ui/view.tsx';
import { Prose } from './prose.tsx';
import { plainText } from './spec-gaps.ts';

/** Two sections with the neutral choices that were necessary and the parts that were left out on purpose. */
export function Choices() {
  const t = useTranslate();
  return (
    <>
      <Section title={t('choices')}>
        <p className="muted">{t('choices_intro')}</p>
        <dl className="stack">
          {choices.map(({ name, text, places }) => (
            <div key={name} className="facts">
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
      <Section title={t('choices_left_out')}>
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
