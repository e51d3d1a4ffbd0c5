import type { Paragraph } from '../contract/spec-gaps.ts';
import { useTranslate } from '../ui/use-translate.ts';
import { paragraphText } from './paragraph-text.ts';
import { Prose } from './prose.tsx';
import styles from './question-list.module.css';

/** What has to be answered before a point is specified. */
export function QuestionList({ questions }: { readonly questions: readonly Paragraph[] }) {
  const t = useTranslate();
  if (questions.length === 0) return <p>{t('gap_all_answered')}</p>;
  return (
    <ol className={styles['questions']}>
      {questions.map((text) => (
        <li key={paragraphText(text)}>
          <Prose text={text} />
        </li>
      ))}
    </ol>
  );
}
