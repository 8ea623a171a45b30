import uPlot from 'uplot';
import { lineOf, type Range, type Stretch } from './stretches.ts';
import type { Mark } from './time-axis.ts';

export type Lines = { readonly stretches: readonly Stretch[]; readonly range: Range; readonly marks: readonly Mark[] };

const HEIGHT_REM = 9;
/** The room for numbers on the left; the style sheet has the same. */
const AXIS_REM = 2.75;
const TOP_PX = 8;
/** Between the lines of a hatched gap. */
const HATCH_PX = 6;

/**
 * Draws a line into the host and keeps to its width, until the returned function is called. The locale is passed in: an
 * import of the words here would make the first load fetch one more file.
 */
export function startPlot(
  host: HTMLElement,
  { stretches, range, marks, locale }: Lines & { readonly locale: string },
): () => void {
  const number = new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 2 });
  const remPx = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
  const color = (name: string) => getComputedStyle(host).getPropertyValue(name).trim();
  const heightPx = HEIGHT_REM * remPx;
  const times = marks.map(({ atMs }) => atMs);
  const plot = new uPlot(
    {
      width: host.clientWidth,
      height: heightPx,
      padding: [TOP_PX, 0, TOP_PX, 0],
      legend: { show: false },
      cursor: { show: false },
      scales: {
        x: { time: false, range: [range.fromMs, range.toMs] },
        y: { range: (_plot, min, max) => uPlot.rangeNum(min, max, 0.1, false) },
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
        { stroke: () => color('--ember'), width: 2, cap: 'round', points: { show: false }, spanGaps: false },
      ],
      hooks: { drawClear: [(drawn) => hatchGaps(drawn, stretches, color('--ink-faint'))] },
    },
    lineOf(stretches),
    host,
  );
  const sizes = new ResizeObserver(() => {
    if (host.clientWidth !== plot.width) plot.setSize({ width: host.clientWidth, height: heightPx });
  });
  sizes.observe(host);
  return () => {
    sizes.disconnect();
    plot.destroy();
  };
}

function hatchGaps(plot: uPlot, stretches: readonly Stretch[], color: string): void {
  const { ctx, bbox } = plot;
  const stepPx = HATCH_PX * devicePixelRatio;
  ctx.save();
  ctx.strokeStyle = color;
  ctx.lineWidth = devicePixelRatio;
  ctx.globalAlpha = 0.55;
  for (const stretch of stretches) {
    if ('value' in stretch) continue;
    const left = plot.valToPos(stretch.fromMs, 'x', true);
    const width = Math.max(devicePixelRatio, plot.valToPos(stretch.toMs, 'x', true) - left);
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
