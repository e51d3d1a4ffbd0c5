import { Button } from './button.tsx';
import styles from './failure.module.css';

interface FailureProps {
  /** What happened. */
  readonly what: string;
  /** What the person can do about it. */
  readonly advice: string;
  readonly action?: { readonly label: string; readonly run: () => void; readonly isRunning?: boolean };
}

/** Something that did not work: said at once, with what to do. */
export function Failure({ what, advice, action }: FailureProps) {
  return (
    <div className={styles['failure']}>
      <div role="alert">
        <p className={styles['what']}>{what}</p>
        <p className={styles['advice']}>{advice}</p>
      </div>
      {action && (
        <Button onPress={action.run} isBusy={action.isRunning ?? false}>
          {action.label}
        </Button>
      )}
    </div>
  );
}
