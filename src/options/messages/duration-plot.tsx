import { useEffect, useRef } from 'react';
import UPlot from 'uplot';

import { formatDuration } from '../../ui/format-duration.ts';
import { useTranslate } from '../../ui/use-translate.ts';
import styles from './duration-plot.module.css';
import type { Message } from './message.ts';
import { plotOptions } from './plot-options.ts';
import { quantile } from './quantile.ts';

/**
 * How long the messages took, over time; in words below the picture. Drawn in the theme that there is when it is made.
 */
export function DurationPlot({ messages }: { readonly messages: readonly Message[] }) {
  const t = useTranslate();
  const language = t('text_language');
  const frame = useRef<HTMLDivElement>(null);
  const plot = useRef<UPlot>(undefined);
  // A stream lasts as long as somebody listens, which says nothing of how quick anything is.
  // They come in the order in which they ended, and a plot goes on from where it began.
  const calls = messages.filter(({ kind }) => kind !== 'subscription').toSorted((a, b) => a.at - b.at);
  const durations = calls.map(({ duration }) => duration);
  const p50 = quantile(durations, 0.5);
  const p95 = quantile(durations, 0.95);

  useEffect(() => {
    const host = frame.current;
    if (host === null) return undefined;

    let made: UPlot | undefined;
    const draw = (): void => {
      const data = made?.data ?? [[], [], [], []];
      made?.destroy();
      made = new UPlot(plotOptions(host, language), data, host);
      plot.current = made;
    };
    draw();
    const sizes = new ResizeObserver(() =>
      made?.setSize({ width: host.clientWidth, height: host.clientHeight }),
    );
    sizes.observe(host);
    const scheme = matchMedia('(prefers-color-scheme: dark)');
    scheme.addEventListener('change', draw);
    return () => {
      sizes.disconnect();
      scheme.removeEventListener('change', draw);
      made?.destroy();
    };
  }, [language]);

  useEffect(() => {
    const flat = (value: number | undefined): (number | null)[] => calls.map(() => value ?? null);
    plot.current?.setData([calls.map(({ at }) => at / 1_000), durations, flat(p50), flat(p95)]);
  });

  return (
    <figure className={styles['figure']}>
      <div ref={frame} aria-hidden="true" className={styles['plot']} />
      <figcaption className={styles['caption']}>
        {p50 === undefined || p95 === undefined
          ? t('messages_plot_empty')
          : t('messages_plot', { half: formatDuration(p50, language), most: formatDuration(p95, language) })}
      </figcaption>
    </figure>
  );
}
