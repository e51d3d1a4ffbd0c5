import { choices, leftOut } from '../../SPEC_GAPS.md';
import { useTranslate } from '../ui/use-translate.ts';
import { ChoiceList } from './choice-list.tsx';
import { ExtensionFacts } from './extension-facts.tsx';
import styles from './about-view.module.css';
import type { MeasureStorage } from './measure-storage.ts';
import { paragraphText } from './paragraph-text.ts';
import { Prose } from './prose.tsx';
import { Section } from './section.tsx';
import { ViewHeading } from './view-heading.tsx';

/** What this extension is, what was chosen for it and what it leaves out. */
export function AboutView({ measureStorage }: { readonly measureStorage: MeasureStorage }) {
  const t = useTranslate();
  return (
    <>
      <ViewHeading title={t('about')} />
      <Section title={t('about_extension')}>
        <ExtensionFacts measureStorage={measureStorage} />
      </Section>
      <Section title={t('about_choices')}>
        <p className={styles['intro']}>{t('about_choices_intro')}</p>
        <ChoiceList choices={choices} />
      </Section>
      <Section title={t('about_left_out')}>
        <ul className={styles['list']}>
          {leftOut.map((text) => (
            <li key={paragraphText(text)}>
              <Prose text={text} />
            </li>
          ))}
        </ul>
      </Section>
    </>
  );
}
