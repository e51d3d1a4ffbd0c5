import { useEffect, useRef } from 'react';
import UPlot, { type Options, type Series } from 'uplot';
import 'uplot/dist/uPlot.min.css';

import { useTranslate } from '../../ui/extension.ts';
import { formatTime } from '../../ui/text.ts';
import styles from './messages.module.css';
import { formatDuration, type Message } from './use-messages.ts';

/** Plots the durations of messages over time, with their median and 95th percentile. */
export function DurationPlot({ messages }: { readonly messages: readonly Message[] }) {
  const t = useTranslate();
  const language = t('text_language');
  const frame = useRef<HTMLDivElement>(null);
  const plot = useRef<UPlot>(undefined);
  // Subscriptions are left out, because they last as long as a page listens.
  const calls = messages
    .filter(({ kind, duration }) => kind !== 'subscription' && duration !== undefined)
    .toSorted((a, b) => a.at - b.at);
  const durations = calls.map(({ duration = 0 }) => duration);
  const [p50, p95] = quantiles(durations, [0.5, 0.95]);

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
    // A canvas keeps the colours that it was drawn with, so it is drawn again when the theme changes.
    const scheme = matchMedia('(prefers-color-scheme: dark)');
    scheme.addEventListener('change', draw);
    const themes = new MutationObserver(draw);
    themes.observe(document.documentElement, { attributeFilter: ['data-theme'] });
    return () => {
      themes.disconnect();
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

/**
 * Returns the quantile of each share (0 to 1): the smallest value that at least this share of all values does not exceed.
 * It is `undefined` if there are no values.
 */
export function quantiles(values: readonly number[], shares: readonly number[]): (number | undefined)[] {
  const sorted = Float64Array.from(values).toSorted();
  return shares.map((share) => sorted[Math.max(Math.ceil(sorted.length * share), 1) - 1]);
}

/** Returns options for a plot with a square for each message and a line for each quantile, in the page's colours. */
function plotOptions(host: HTMLElement, language: string): Options {
  const style = getComputedStyle(host);
  const soft = style.color;
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
      { paths: squarePaths, fill: style.accentColor, points: { show: false } },
      { stroke: soft, width: 1, dash: [4, 4], points: { show: false } },
      { stroke: soft, width: 1, points: { show: false } },
    ],
  };
}

/** Draws one square for all messages at the same pixel. uPlot's 10,000 circles would take longer than a frame. */
function squarePaths(plot: UPlot, series: number, from: number, to: number): Series.Paths {
  const fill = new Path2D();
  const size = 4 * devicePixelRatio;
  const drawn = new Set<number>();
  const [times] = plot.data;
  const durations = plot.data[series] ?? [];
  for (let index = from; index <= to; index += 1) {
    const x = Math.round(plot.valToPos(times[index] ?? 0, 'x', true));
    const y = Math.round(plot.valToPos(durations[index] ?? 0, 'y', true));
    const pixel = x * 65_536 + y;
    if (!drawn.has(pixel)) fill.rect(x - size / 2, y - size / 2, size, size);
    drawn.add(pixel);
  }
  return { fill };
}
