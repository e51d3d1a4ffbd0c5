import { expectTypeOf, test } from 'vitest';

import type { Theme } from '../../src/features/preferences/background.ts';
import { useMutation, useQuery, useSubscription } from '../../src/ui/calls.ts';

/** A component that shows what handlers return. */
function Specimen() {
  const [changed, change] = useMutation('preferences.update');
  const watched = useSubscription('preferences.watch');
  const asked = useQuery('extension.info');

  if (watched.status === 'ready') expectTypeOf(watched.value.theme).toEqualTypeOf<Theme>();
  if (changed.status === 'done') expectTypeOf(changed.output.theme).toEqualTypeOf<Theme>();
  return (
    <button type="button" onClick={() => void change({ theme: 'dark' })}>
      {watched.status === 'ready' && watched.value.theme}
      {/* @ts-expect-error the subscription yields no such member */}
      {watched.status === 'ready' && watched.value.color}
      {asked.status === 'ready' && asked.value.version}
      {/* @ts-expect-error the query returns no such member */}
      {asked.status === 'ready' && asked.value.versoin}
      {/* @ts-expect-error the mutation returns no such member */}
      {changed.status === 'done' && changed.output.thme}
    </button>
  );
}

test('the output of a handler has its type in a component', () => {
  expectTypeOf(<Specimen />).not.toBeAny();
});

/** Calls of hooks that do not compile. */
function useMistaken(): void {
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

  const [, change] = useMutation('preferences.update');
  // @ts-expect-error the theme has a wrong value
  void change({ theme: 'sepia' });
}

test('a hook that is called with a wrong name or input does not compile', () => {
  expectTypeOf(useMistaken).toBeFunction();
});
