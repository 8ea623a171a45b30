import type { NumberedSample } from '#core/past/history/history-store.ts';
import type { SeriesFilter, Exporter } from '#core/exporter/exporter.ts';
import type { FindLabels, SeriesLabels } from '#core/past/archive/series-labels.ts';

export type ExportSample = NumberedSample & {
  readonly labels: SeriesLabels;
  /** As it is kept. */
  readonly tenthMs: number;
};

const LAST_MS_OF_TENTH = 99;

/**
 * The samples that an exporter sends, in their order. Times are kept to a tenth of a second, and receivers keep one value
 * for each time: what a series has more in one tenth gets the milliseconds after it. So parts must have whole tenths.
 */
export function selectSamples(
  samples: readonly NumberedSample[],
  { filter, start }: Pick<Exporter, 'filter' | 'start'>,
  labelsOf: FindLabels,
): readonly ExportSample[] {
  const known = new Map<string, SeriesLabels | null>();
  const lastOf = new Map<string, { readonly atMs: number; readonly count: number }>();
  return samples.flatMap((sample) => {
    const { series, number, atMs } = sample;
    if (start !== null && number < start.below && atMs < start.atMs) return [];
    let labels = known.get(series);
    if (labels === undefined) {
      const found = labelsOf(series);
      labels = passes(found, filter) ? found : null;
      known.set(series, labels);
    }
    if (labels === null) return [];
    const last = lastOf.get(series);
    const count = last?.atMs === atMs ? last.count + 1 : 0;
    lastOf.set(series, { atMs, count });
    return [{ ...sample, tenthMs: atMs, atMs: atMs + Math.min(count, LAST_MS_OF_TENTH), labels }];
  });
}

/** Presence tells how people live, and a receiver keeps it for ever: it goes out only where the filter names the person. */
function passes({ device, deviceId, roomId, key }: SeriesLabels, { deviceIds, roomIds, keys }: SeriesFilter): boolean {
  const isPresence = deviceId === null && device === 'presence';
  return (
    (!isPresence || keys !== null) &&
    (deviceIds === null || (deviceId !== null && deviceIds.includes(deviceId))) &&
    (roomIds === null || (roomId !== null && roomIds.includes(roomId))) &&
    (keys === null || keys.includes(key))
  );
}
