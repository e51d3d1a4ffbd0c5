import { useRef } from 'react';

import { Alert } from './alert.tsx';
import { Button } from './button.tsx';
import styles from './failure.module.css';

export interface Problem {
  /** What happened. */
  readonly what: string;
  /** What the person can do about it. */
  readonly advice: string;
  readonly action: {
    readonly label: string;
    readonly run: () => void;
    /** For an action during which the problem stays to be seen. */
    readonly isRunning?: boolean;
  };
}

/** Something that did not work: said at once, with what to do. Without a problem it is the silent place for one. */
export function Failure({ problem }: { readonly problem: Problem | undefined }) {
  const place = useRef<HTMLDivElement>(null);

  return (
    <div ref={place} tabIndex={-1} className={styles[problem ? 'failure' : 'quiet']}>
      <Alert>
        {problem && (
          <>
            <p className={styles['what']}>{problem.what}</p>
            <p className={styles['advice']}>{problem.advice}</p>
          </>
        )}
      </Alert>
      {problem && (
        <Button onPress={() => run(problem.action)} isBusy={problem.action.isRunning ?? false}>
          {problem.action.label}
        </Button>
      )}
    </div>
  );

  function run(action: Problem['action']): void {
    // The button goes with the problem, and the keyboard goes on from here.
    if (action.isRunning === undefined) place.current?.focus();
    action.run();
  }
}
