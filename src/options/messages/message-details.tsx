import { useEffect, useRef } from 'react';

import { Button } from '../../ui/button.tsx';
import { formatDuration } from '../../ui/format-duration.ts';
import { translateCount } from '../../ui/translate-count.ts';
import { useTranslate } from '../../ui/use-translate.ts';
import { formatTime } from './format-time.ts';
import styles from './message-details.module.css';
import type { Message } from './message.ts';

interface MessageDetailsProps {
  readonly message: Message;
  readonly onClose: () => void;
}

/** One message from its beginning to its end. */
export function MessageDetails({ message, onClose }: MessageDetailsProps) {
  const t = useTranslate();
  const language = t('text_language');
  const heading = useRef<HTMLHeadingElement>(null);
  const { name, kind, caller, at, duration, attempts, outcome } = message;

  useEffect(() => {
    heading.current?.focus();
  }, []);

  return (
    <section className={styles['details']} aria-labelledby="message-details">
      <h2 ref={heading} id="message-details" tabIndex={-1} className={styles['title']}>
        {name}
      </h2>
      <ol className={styles['timeline']}>
        <li>{t('message_asked', { caller, kind })}</li>
        {attempts > 1 && <li>{translateCount(t, 'message_restarts', attempts - 1)}</li>}
        <li>{t('message_began', { time: formatTime(at, language, 'millisecond') })}</li>
        <li>
          {t('message_ended', {
            outcome,
            duration: formatDuration(duration, language),
          })}
        </li>
      </ol>
      <Button onPress={onClose}>{t('message_close')}</Button>
    </section>
  );
}
