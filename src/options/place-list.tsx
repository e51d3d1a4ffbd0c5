import type { Place } from '../contract/spec-gaps.ts';
import styles from './place-list.module.css';
import { Prose } from './prose.tsx';

/** Paths of the repository, each with what goes there. */
export function PlaceList({ places }: { readonly places: readonly Place[] }) {
  return (
    <dl className={styles['places']}>
      {places.map(({ path, text }) => (
        <div key={path}>
          <dt>
            <code>{path}</code>
          </dt>
          <dd className={styles['text']}>
            <Prose text={text} />
          </dd>
        </div>
      ))}
    </dl>
  );
}
