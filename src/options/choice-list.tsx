import type { Choice } from '../contract/spec-gaps.ts';
import styles from './choice-list.module.css';
import { Prose } from './prose.tsx';

/** What was chosen, each with the one place where it is changed. */
export function ChoiceList({ choices }: { readonly choices: readonly Choice[] }) {
  return (
    <dl className={styles['choices']}>
      {choices.map(({ name, text, place }) => (
        <div key={name} className={styles['choice']}>
          <dt className={styles['name']}>{name}</dt>
          <dd>
            <p>
              <Prose text={text} />
            </p>
            <p className={styles['place']}>
              <code>{place.path}</code> · <Prose text={place.text} />
            </p>
          </dd>
        </div>
      ))}
    </dl>
  );
}
