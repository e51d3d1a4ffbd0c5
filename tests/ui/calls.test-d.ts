import { expectTypeOf, test } from 'vitest';

import type { Preferences } from '../../src/features/preferences/background.ts';
import { useMutation, useQuery, useSubscription } from '../../src/ui/calls.ts';

/** Calls hooks correctly, and in ways that do not compile. */
function useSpecimen(): void {
  const watched = useSubscription('preferences.watch');
  const [changed, change] = useMutation('preferences.update');
  const asked = useQuery('extension.info');

  if (watched.status === 'ready') expectTypeOf(watched.value).toEqualTypeOf<Preferences>();
  if (changed.status === 'done') expectTypeOf(changed.output).toEqualTypeOf<Preferences>();
  if (asked.status === 'ready') {
    expectTypeOf(asked.value.version).toEqualTypeOf<string>();
    expectTypeOf(asked.value).not.toHaveProperty('versoin');
  }
  void change({ theme: 'dark' });
  // @ts-expect-error the theme has a wrong value
  void change({ theme: 'sepia' });
  // @ts-expect-error there is no such query
  useQuery('extension.inof');
  // @ts-expect-error a mutation is not a query
  useQuery('preferences.update');
  // @ts-expect-error no input is expected
  useQuery('extension.info', { verbose: true });
  // @ts-expect-error there is no such subscription
  useSubscription('preferences.wacth');
  // @ts-expect-error there is no such mutation
  useMutation('preferences.updat');
}

test('a hook has the input and the output of its procedure, and another name or input does not compile', () => {
  expectTypeOf(useSpecimen).toBeFunction();
});
