import uPlot from 'uplot';
import { lineOf, type Range, scaleOf, sharedGaps, type Stretch } from './stretches.ts';
import type { Mark } from './time-axis.ts';

export type Lines = {
  /** One for each line; all have the same unit. */
  readonly tracks: readonly (readonly Stretch[])[];
  readonly range: Range;
  readonly marks: readonly Mark[];
  /** A percentage is never beyond 0 and 100, nor is its scale. */
  readonly isPercent: boolean;
};

/** The room for numbers on the left; the style sheet has the same. */
const AXIS_REM = 2.75;
const TOP_PX = 8;
/** Between the lines of a hatched gap. */
const HATCH_PX = 6;
/** Lines after these are dashed in the same colors; the style sheet has as many. */
const COLORS = 6;
const DASH_PX = 6;

/**
 * Draws lines into the host and keeps to its size, until the returned function is called. The locale is passed in: an
 * import of the words here would make the first load fetch one more file.
 */
export function startPlot(
  host: HTMLElement,
  { tracks, range, marks, isPercent, locale }: Lines & { readonly locale: string },
): () => void {
  const number = new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 2 });
  const remPx = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
  const color = (name: string) => getComputedStyle(host).getPropertyValue(name).trim();
  const times = marks.map(({ atMs }) => atMs);
  const lines = tracks.map(lineOf);
  const plot = new uPlot(
    {
      width: host.clientWidth,
      height: host.clientHeight,
      padding: [TOP_PX, 0, TOP_PX, 0],
      legend: { show: false },
      cursor: { show: false },
      scales: {
        x: { time: false, range: [range.fromMs, range.toMs] },
        y: { range: (_plot, min, max) => [...scaleOf([min, max], isPercent, uPlot.rangeNum(min, max, 0.1, false))] },
      },
      axes: [
        {
          size: 0,
          splits: () => times,
          values: (_plot, splits) => splits.map(() => ''),
          grid: { stroke: () => color('--line'), width: 1 },
          ticks: { show: false },
        },
        {
          size: AXIS_REM * remPx,
          space: 2 * remPx,
          gap: 6,
          font: `${0.75 * remPx}px ${getComputedStyle(host).fontFamily}`,
          stroke: () => color('--ink-soft'),
          grid: { stroke: () => color('--line'), width: 1 },
          ticks: { show: false },
          values: (_plot, splits) => splits.map((value) => number.format(value)),
        },
      ],
      series: [
        {}, // Round ends make a dot of what was known for less than a pixel.
        ...lines.map((line, index) => ({
          stroke: () => color(`--track-${index % COLORS}`),
          width: 2,
          cap: 'round' as const,
          dash: index < COLORS ? [] : [DASH_PX, DASH_PX],
          points: { show: false },
          paths: (drawn: uPlot) => pathOf(drawn, line),
        })),
      ],
      hooks: { drawClear: [(drawn) => hatchGaps(drawn, sharedGaps(tracks), color('--ink-faint'))] },
    },
    // Each line has times of its own, so it has a path of its own: the plot needs only the ends of its scales.
    [[range.fromMs, range.toMs], ...lines.map(([, values]) => extremesOf(values))],
    host,
  );
  const sizes = new ResizeObserver(() => {
    const [width, height] = [host.clientWidth, host.clientHeight];
    if (width !== plot.width || height !== plot.height) plot.setSize({ width, height });
  });
  sizes.observe(host);
  return () => {
    sizes.disconnect();
    plot.destroy();
  };
}

function extremesOf(values: readonly (number | null)[]): (number | null)[] {
  const known = values.filter((value) => value !== null);
  if (known.length === 0) return [null, null];
  return [known.reduce((least, value) => Math.min(least, value)), known.reduce((most, value) => Math.max(most, value))];
}

function pathOf(plot: uPlot, [times, values]: ReturnType<typeof lineOf>): uPlot.Series.Paths {
  const stroke = new Path2D();
  let isDown = false;
  for (const [index, value] of values.entries()) {
    if (value !== null) {
      const x = plot.valToPos(times[index] ?? 0, 'x', true);
      const y = plot.valToPos(value, 'y', true);
      if (isDown) stroke.lineTo(x, y);
      else stroke.moveTo(x, y);
    }
    isDown = value !== null;
  }
  return { stroke };
}

function hatchGaps(plot: uPlot, gaps: readonly Range[], color: string): void {
  const { ctx, bbox } = plot;
  const stepPx = HATCH_PX * devicePixelRatio;
  ctx.save();
  ctx.strokeStyle = color;
  ctx.lineWidth = devicePixelRatio;
  ctx.globalAlpha = 0.55;
  for (const gap of gaps) {
    const left = plot.valToPos(gap.fromMs, 'x', true);
    const width = Math.max(devicePixelRatio, plot.valToPos(gap.toMs, 'x', true) - left);
    ctx.save();
    ctx.beginPath();
    ctx.rect(left, bbox.top, width, bbox.height);
    ctx.clip();
    ctx.beginPath();
    for (let x = left - bbox.height; x < left + width; x += stepPx) {
      ctx.moveTo(x, bbox.top + bbox.height);
      ctx.lineTo(x + bbox.height, bbox.top);
    }
    ctx.stroke();
    ctx.restore();
  }
  ctx.restore();
}
