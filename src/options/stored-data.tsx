import { useRef, useState } from 'react';

import type { StorageState } from '../contract/storage.ts';
import { useMutation, useSubscription, useTask } from '../ui/calls.ts';
import { Button, ConfirmDialog } from '../ui/controls.tsx';
import { type Extension, useExtension, useTranslate } from '../ui/extension.ts';
import { CallFailure } from '../ui/failure.tsx';
import { translateCount } from '../ui/text.ts';
import { saveJsonText, Section } from './view-parts.tsx';

/** What was stored and could not be read. Shown from when there is something until this view is left. */
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

/** Saves what could not be read as a file, and removes it when the person wants that. */
function Quarantine({ unreadable }: Pick<StorageState, 'unreadable'>) {
  const t = useTranslate();
  const { client } = useExtension();
  const [isAsking, setIsAsking] = useState(false);
  const [discarded, discard] = useMutation('quarantine.discard');
  const [saved, save] = useTask(async () => {
    const entries = unreadable.map(async ({ id, key, at }) => {
      const value = toJson(await readText(client, id));
      return `{"key":${JSON.stringify(key)},"at":${at},"value":${value}}`;
    });
    return saveJsonText('unreadable', `[${(await Promise.all(entries)).join(',\n')}]`);
  });
  const control = useRef<HTMLDivElement>(null);
  const isNeeded = unreadable.length > 0;

  return (
    <div ref={control} tabIndex={-1} className="stack">
      {isNeeded && (
        <>
          <p>{translateCount(t, 'unreadable_explained', unreadable.length)}</p>
          <div className="wrap">
            <Button onPress={save} isBusy={saved.status === 'pending'}>
              {t('unreadable_save')}
            </Button>
            <Button onPress={() => setIsAsking(true)} isBusy={discarded.status === 'pending'}>
              {t('unreadable_remove')}
            </Button>
          </div>
        </>
      )}
      <p role="status" className="status">
        {isNeeded && saved.status === 'done' && t('unreadable_saved', { file: saved.output })}
        {!isNeeded && discarded.status === 'done' && t('unreadable_removed')}
      </p>
      <CallFailure state={saved} />
      <CallFailure state={discarded} />
      {isAsking && isNeeded && (
        <ConfirmDialog
          title={t('unreadable_question')}
          action={t('unreadable_confirm')}
          onCancel={() => setIsAsking(false)}
          onConfirm={confirm}
        >
          <p>{t('unreadable_consequence')}</p>
        </ConfirmDialog>
      )}
    </div>
  );

  function confirm(): void {
    setIsAsking(false);
    // The button disappears with the data that it removes, so the focus moves here.
    control.current?.focus();
    void discard({ ids: unreadable.map(({ id }) => id) });
  }
}

async function readText({ query }: Extension['client'], id: string): Promise<string> {
  let text = '';
  for (;;) {
    const part = await query('quarantine.export', { id, from: text.length });
    text += part.text;
    if (part.isLast) return text;
  }
}

/** The text itself if it is JSON. Parsing and writing it again would fail for values with many levels. */
function toJson(text: string): string {
  try {
    JSON.parse(text);
    return text;
  } catch {
    return JSON.stringify(text);
  }
}
