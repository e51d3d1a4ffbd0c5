import { useEffect, useMemo, useRef } from 'react';
import UPlot, { type Options, type Series } from 'uplot';
import 'uplot/dist/uPlot.min.css';

import { useTranslate } from '../../ui/extension.ts';
import { formatDuration, formatTime } from '../../ui/text.ts';
import styles from './messages.module.css';
import type { Message } from './use-messages.ts';

interface DurationPlotProps {
  readonly messages: readonly Message[];
  /** When each background started, in ms since 1970: a line across the plot. */
  readonly starts: readonly number[];
}

/** What stands behind the points: ms, and ms since 1970. */
interface Marks {
  readonly p50: number | undefined;
  readonly p95: number | undefined;
  readonly starts: readonly number[];
}

/** How long the messages took, over time, with two figures. Drawn in the theme that there is when it is made. */
export function DurationPlot({ messages, starts }: DurationPlotProps) {
  const t = useTranslate();
  const language = t('text_language');
  const frame = useRef<HTMLDivElement>(null);
  const plot = useRef<UPlot>(undefined);
  // A stream lasts as long as a page listens, which says nothing of how quick anything is.
  const { times, durations } = useMemo(() => {
    const calls = messages
      .filter(({ kind, duration }) => kind !== 'subscription' && duration !== undefined)
      .toSorted((a, b) => a.at - b.at);
    return {
      times: calls.map(({ at }) => at / 1_000),
      durations: calls.map(({ duration = 0 }) => duration),
    };
  }, [messages]);
  const [p50, p95] = useMemo(() => quantiles(durations, [0.5, 0.95]), [durations]);
  const marks = useRef<Marks>({ p50, p95, starts });

  useEffect(() => {
    const host = frame.current;
    if (host === null) return undefined;

    let made: UPlot | undefined;
    const draw = (): void => {
      const data = made?.data ?? [[], []];
      made?.destroy();
      made = new UPlot(plotOptions(host, language, marks), data, host);
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
    marks.current = { p50, p95, starts };
    plot.current?.setData([times, durations]);
  }, [times, durations, p50, p95, starts]);

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

/** For each share, 0 to 1, the least value that at least that share of them does not exceed; none of none. */
export function quantiles(values: readonly number[], shares: readonly number[]): (number | undefined)[] {
  const sorted = Float64Array.from(values).toSorted();
  return shares.map((share) => sorted[Math.max(Math.ceil(sorted.length * share), 1) - 1]);
}

/** A point a message over the marks, in the colours that the page has now. */
function plotOptions(host: HTMLElement, language: string, marks: { readonly current: Marks }): Options {
  const style = getComputedStyle(host);
  const soft = style.color;
  const axis = { stroke: soft, grid: { stroke: style.borderTopColor, width: 1 }, ticks: { show: false } };

  return {
    width: host.clientWidth,
    height: host.clientHeight,
    legend: { show: false },
    cursor: { show: false },
    scales: { y: { range: (_plot, _least, most) => [0, Math.max(most, 1) * 1.1] } },
    hooks: { drawAxes: [(plot) => drawMarks(plot, marks.current, soft)] },
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
    series: [{}, { paths: squarePaths, fill: style.accentColor, points: { show: false } }],
  };
}

/** A square a message, and one for all that would cover each other: 10,000 circles take longer than a frame to draw. */
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

/** A dashed line for the median, one for the 95th percentile, and one down for each start of the background. */
function drawMarks(plot: UPlot, { p50, p95, starts }: Marks, colour: string): void {
  const { ctx, bbox } = plot;
  const { left, top, width, height } = bbox;
  ctx.save();
  ctx.strokeStyle = colour;
  ctx.lineWidth = devicePixelRatio;
  ctx.beginPath();
  ctx.rect(left, top, width, height);
  ctx.clip();
  for (const at of starts) line(plot.valToPos(at / 1_000, 'x', true), undefined, [1, 3]);
  if (p50 !== undefined) line(undefined, plot.valToPos(p50, 'y', true), [4, 4]);
  if (p95 !== undefined) line(undefined, plot.valToPos(p95, 'y', true), []);
  ctx.restore();

  function line(x: number | undefined, y: number | undefined, dash: readonly number[]): void {
    ctx.setLineDash(dash.map((length) => length * devicePixelRatio));
    ctx.beginPath();
    ctx.moveTo(x ?? left, y ?? top);
    ctx.lineTo(x ?? left + width, y ?? top + height);
    ctx.stroke();
  }
}
