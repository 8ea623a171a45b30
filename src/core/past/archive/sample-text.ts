import { type GapMark, isGap, type Sample } from '#core/past/history/sample.ts';
import { cellFromValue, csvLine } from './csv-text.ts';

/** How samples leave the house as text, one in each line. */
export const ARCHIVE_FORMATS = ['csv', 'ndjson'] as const;
export type ArchiveFormat = (typeof ARCHIVE_FORMATS)[number];

export type ArchiveText = {
  /** The text before the first sample. */
  readonly head: string;
  readonly line: (series: string, sample: Sample) => string;
  /** The text after the last one: a reader who has it has everything. CSV has none. */
  readonly foot: (count: number) => string;
};

export const ARCHIVE_COLUMNS = ['series', 'at', 'value', 'gap'] as const;
/** Follows the reason of a gap that may have begun earlier. */
export const UNCERTAIN = ' uncertain';

export const ARCHIVE_TEXTS: Readonly<Record<ArchiveFormat, ArchiveText>> = {
  csv: {
    head: csvLine(ARCHIVE_COLUMNS),
    line: (series, { atMs, value }) =>
      csvLine([series, timeText(atMs), ...(isGap(value) ? ['', gapText(value)] : [cellFromValue(value), ''])]),
    foot: () => '',
  },
  ndjson: {
    head: '',
    line: (series, { atMs, value }) => {
      const what = isGap(value) ? { gap: value.gap, ...(value.isUncertain && { from_uncertain: true }) } : { value };
      return `${JSON.stringify({ series, at: timeText(atMs), ...what })}\n`;
    },
    foot: (count) => `${JSON.stringify({ end: true, samples: count })}\n`,
  },
};

function gapText({ gap, isUncertain }: GapMark): string {
  return isUncertain === true ? gap + UNCERTAIN : gap;
}

function timeText(atMs: number): string {
  return new Date(atMs).toISOString();
}
