import { useEffect, useRef } from 'react';
import UPlot, { type Options } from 'uplot';
import 'uplot/dist/uPlot.min.css';

import { useTranslate } from '../../ui/extension.ts';
import { formatDuration } from '../../ui/text.ts';
import { formatTime } from './message-table.tsx';
import styles from './messages.module.css';
import type { Message } from './use-messages.ts';

/** How long the messages took, over time, with two figures. Drawn in the theme that there is when it is made. */
export function DurationPlot({ messages }: { readonly messages: readonly Message[] }) {
  const t = useTranslate();
  const language = t('text_language');
  const frame = useRef<HTMLDivElement>(null);
  const plot = useRef<UPlot>(undefined);
  // A stream lasts as long as a page listens, which says nothing of how quick anything is.
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
    <figure>
      <div ref={frame} aria-hidden="true" className={styles['plot']} />
      <figcaption className="status">
        {p50 === undefined || p95 === undefined
          ? t('messages_plot_empty')
          : t('messages_plot', {
              half: formatDuration(p50, language),
              most: formatDuration(p95, language),
            })}
      </figcaption>
    </figure>
  );
}

/** The least value that at least that share of them, 0 to 1, does not exceed; none of none. */
export function quantile(values: readonly number[], share: number): number | undefined {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(Math.ceil(sorted.length * share), 1) - 1];
}

/** A point a message, and a line for each of the two quantiles, in the colours that the page has now. */
function plotOptions(host: HTMLElement, language: string): Options {
  const style = getComputedStyle(host);
  const soft = style.color;
  const accent = style.accentColor;
  const axis = { stroke: soft, grid: { stroke: style.borderTopColor, width: 1 }, ticks: { show: false } };

  return {
    width: host.clientWidth,
    height: host.clientHeight,
    legend: { show: false },
    cursor: { show: false },
    scales: { y: { range: (_plot, _least, most) => [0, Math.max(most, 1) * 1.1] } },
    axes: [
      {
        ...axis,
        values: (_plot, ticks, _axis, _space, secondsApart) => {
          const step = secondsApart < 1 ? 'millisecond' : 'second';
          return ticks.map((tick) => formatTime(tick * 1_000, language, step));
        },
        space: 96,
        gap: 10,
      },
      { ...axis, values: (_plot, ticks) => ticks.map((tick) => formatDuration(tick, language)), size: 80 },
    ],
    series: [
      {},
      { paths: () => null, points: { show: true, size: 4, stroke: accent, fill: accent } },
      { stroke: soft, width: 1, dash: [4, 4], points: { show: false } },
      { stroke: soft, width: 1, points: { show: false } },
    ],
  };
}
