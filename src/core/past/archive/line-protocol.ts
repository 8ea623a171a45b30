import { isGap, type Sample } from '#core/past/history/sample.ts';
import type { SeriesLabels } from './series-labels.ts';

type LabelledSample = Sample & { readonly labels: Pick<SeriesLabels, 'device' | 'key' | 'room' | 'unit'> };

const MEASUREMENT = 'hearthd_feature';

/**
 * A sample as a line: `hearthd_feature,device=…,key=…,room=…,unit=… value=21.4 <ms>`, with the labels of the metrics. A
 * receiver keeps one type for each field, so each type has its own: `value` for numbers, `state` for booleans, `text`, and
 * `gap` with the reason where a time begins in which nothing is known. So a feature that changes its type, or gives whole
 * numbers at first, needs no care.
 */
export function lineOf({ labels: { device, key, room, unit }, value, atMs }: LabelledSample): string {
  const tags = Object.entries({ device, key, room, unit })
    .map(([name, text]) => [name, tagText(text ?? '')])
    .filter(([, text]) => text !== '')
    .map(([name, text]) => `,${name}=${text}`);
  return `${MEASUREMENT}${tags.join('')} ${fieldOf(value)} ${atMs}`;
}

/** A point that is no sample, to see whether a receiver takes anything. */
export function probeLine(nowMs: number): string {
  return `hearthd_test value=1 ${Math.floor(nowMs)}`;
}

function fieldOf(value: Sample['value']): string {
  if (isGap(value)) return `gap=${quoted(value.gap)}`;
  if (typeof value === 'boolean') return `state=${value}`;
  // The shortest decimal that gives this number again. Samples are finite; without an `i` at its end it is a float.
  if (typeof value === 'number') return `value=${value}`;
  return `text=${quoted(value)}`;
}

/** Some receivers end a line at each line feed, also within quotes: what follows would be a line that a device wrote. */
function quoted(text: string): string {
  const oneLine = withoutControls(text.replaceAll('\n', String.raw`\n`));
  return `"${oneLine.replaceAll('\\', String.raw`\\`).replaceAll('"', String.raw`\"`)}"`;
}

/** Receivers read a backslash before a comma in different ways, and no empty tag: neither is sent. */
function tagText(text: string): string {
  return withoutControls(text)
    .replaceAll('\\', '/')
    .replaceAll(/[,= ]/g, (special) => `\\${special}`);
}

/** UTF-8 has no halves of surrogate pairs. */
function withoutControls(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, ' ').replaceAll(/\p{Surrogate}/gu, '\ufffd');
}
