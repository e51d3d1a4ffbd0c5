import { useLayoutEffect, useRef, useState } from 'react';

import { useAction, useMutation, useSubscription } from '../../ui/calls.ts';
import { Button, ConfirmDialog } from '../../ui/controls.tsx';
import { type Extension, useExtension, useTranslate } from '../../ui/extension.ts';
import { CallFailure } from '../../ui/failure.tsx';
import { Status } from '../../ui/status.tsx';
import { translateCount } from '../../ui/text.ts';
import { Section, useSaveJson } from '../../ui/view.tsx';
import type { StorageState } from './background.ts';

/** Section about unreadable data. It appears when there is such data, and stays until the person leaves the view. */
export function StoredData() {
  const t = useTranslate();
  const storage = useSubscription('storage.watch');
  const unreadable = storage.status === 'ready' ? storage.value.unreadable : [];
  const [hasShown, setHasShown] = useState(false);
  if (unreadable.length > 0 && !hasShown) setHasShown(true);
  return (
    hasShown && (
      <Section title={t('storage')}>
        <Quarantine unreadable={unreadable} />
      </Section>
    )
  );
}

/** Saves unreadable data as a file, and removes it on request. */
function Quarantine({ unreadable }: Pick<StorageState, 'unreadable'>) {
  const t = useTranslate();
  const { client } = useExtension();
  const saveJson = useSaveJson();
  /** Ids of the data about which the person is asked. */
  const [asked, setAsked] = useState<string[]>();
  const [discarded, discard] = useMutation('quarantine.discard');
  const ids = unreadable.map(({ id }) => id);
  const [saved, save] = useAction(async () => {
    const entries: string[] = [];
    // Read one after the other, because the background keeps only one text in memory.
    for (const { id, key, at } of unreadable) {
      const value = toJson(await readText(client, id));
      entries.push(`{"key":${JSON.stringify(key)},"at":${at},"value":${value}}`);
    }
    return { file: saveJson('unreadable', `[${entries.join(',\n')}]`), ids };
  });
  const control = useRef<HTMLDivElement>(null);
  const isNeeded = unreadable.length > 0;
  if (asked !== undefined && !isNeeded) setAsked(undefined);
  const isSaved = saved.status === 'done' && ids.every((id) => saved.output.ids.includes(id));

  // The buttons disappear with the data, so the focus moves to the text that replaces them.
  useLayoutEffect(() => {
    if (!isNeeded && document.activeElement === document.body)
      control.current?.focus({ preventScroll: true });
  }, [isNeeded]);

  function describeResult(): string {
    if (isNeeded) return isSaved ? t('unreadable_saved', { file: saved.output.file }) : '';
    return discarded.status === 'done' ? t('unreadable_removed') : '';
  }

  return (
    <div ref={control} tabIndex={-1} className="stack">
      {isNeeded && (
        <>
          <p>{translateCount(t, 'unreadable_explained', unreadable.length)}</p>
          <div className="wrap">
            <Button onPress={() => void save(undefined)} isBusy={saved.status === 'pending'}>
              {t('unreadable_save')}
            </Button>
            <Button onPress={() => setAsked(ids)} isBusy={discarded.status === 'pending'}>
              {t('unreadable_remove')}
            </Button>
          </div>
        </>
      )}
      <Status text={describeResult()} />
      <CallFailure state={saved} />
      <CallFailure state={discarded} />
      {asked && (
        <ConfirmDialog
          title={t('unreadable_question')}
          action={t('unreadable_confirm')}
          onCancel={() => setAsked(undefined)}
          onConfirm={() => {
            setAsked(undefined);
            void discard({ ids: asked });
          }}
        >
          <p>{t('unreadable_consequence')}</p>
        </ConfirmDialog>
      )}
    </div>
  );
}

async function readText({ query }: Extension['client'], id: string): Promise<string> {
  let text = '';
  for (;;) {
    const part = await query('quarantine.export', { id, from: text.length });
    text += part.text;
    if (part.isLast) return text;
  }
}

/** Returns JSON unchanged, and other text as a JSON string. Writing deeply nested values again would fail. */
function toJson(text: string): string {
  try {
    JSON.parse(text);
    return text;
  } catch {
    return JSON.stringify(text);
  }
}
