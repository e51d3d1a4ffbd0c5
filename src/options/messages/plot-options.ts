import type { Options } from 'uplot';

import { formatDuration } from '../../ui/format-duration.ts';
import { formatTime } from './format-time.ts';

/** A point a message, and a line for each of the two quantiles, in the colours that the page has now. */
export function plotOptions(host: HTMLElement, language: string): Options {
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
