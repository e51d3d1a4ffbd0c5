import type { ReactNode } from 'react';

import { useTranslate } from '../../ui/extension.ts';
import type { MessageKey } from '../../ui/text.ts';
import { AnswerBlocks } from './answer-blocks.tsx';
import { questionsAddress } from './filter.ts';
import { Prose } from './prose.tsx';
import styles from './questions.module.css';
import type { Question, Role } from './spec-gaps.ts';

export const roleNames = {
  owner: 'role_owner',
  designer: 'role_designer',
  engineer: 'role_engineer',
  legal: 'role_legal',
} as const satisfies Record<Role, MessageKey>;

interface QuestionItemProps {
  readonly question: Question;
  /** In a list, the address of the question, to which its text links. Without it, the number links to the question. */
  readonly href?: string;
  /** Set if the address of the page names this question. */
  readonly isNamed?: boolean;
  /** Hides the answer. */
  readonly isBrief?: boolean;
  /** Actions at the end of the line below the text. */
  readonly children?: ReactNode;
}

/** A question, the person who can usually answer it, its state and its answer. */
export function QuestionItem({
  question,
  href,
  isNamed = false,
  isBrief = false,
  children,
}: QuestionItemProps) {
  const t = useTranslate();
  const { id, text, role, isStart, answer } = question;
  const isAnswered = answer.length > 0;
  return (
    <li className={styles['question']} data-named={isNamed} data-answered={isAnswered}>
      {href === undefined ? (
        <a className={`number ${styles['permalink']}`} href={questionsAddress(undefined, id)}>
          {id}
        </a>
      ) : (
        <span className={`number ${styles['permalink']}`}>{id}</span>
      )}
      <div>
        <h3 className={styles['text']} tabIndex={-1} data-arrival={isNamed || undefined}>
          {href === undefined ? (
            <Prose text={text} />
          ) : (
            <a href={href}>
              <Prose text={text} />
            </a>
          )}
        </h3>
        <div className={`wrap ${styles['meta']}`}>
          <span>{t(roleNames[role])}</span>
          {isStart && !isBrief && <span>{t('question_start')}</span>}
          {children}
        </div>
        {isAnswered && !isBrief && (
          <div className={`stack ${styles['answer']}`}>
            <p className="visually-hidden">{t('question_answer')}</p>
            <AnswerBlocks blocks={answer} />
          </div>
        )}
      </div>
      <span className={styles['state']} data-state={isAnswered}>
        {t(isAnswered ? 'question_answered' : 'question_unanswered')}
      </span>
    </li>
  );
}
