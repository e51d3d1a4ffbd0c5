import { Alert } from './alert.tsx';
import { Button } from './button.tsx';
import styles from './failure.module.css';

export interface Problem {
  /** What happened. */
  readonly what: string;
  /** What the person can do about it. */
  readonly advice: string;
  readonly action: { readonly label: string; readonly run: () => void; readonly isRunning?: boolean };
}

/** Something that did not work: said at once, with what to do. Without a problem it is the silent place for one. */
export function Failure({ problem }: { readonly problem: Problem | undefined }) {
  return (
    <div className={styles[problem ? 'failure' : 'quiet']}>
      <Alert>
        {problem && (
          <>
            <p className={styles['what']}>{problem.what}</p>
            <p className={styles['advice']}>{problem.advice}</p>
          </>
        )}
      </Alert>
      {problem && (
        <Button onPress={problem.action.run} isBusy={problem.action.isRunning ?? false}>
          {problem.action.label}
        </Button>
      )}
    </div>
  );
}
