import { DIRECT, type Cause } from '#core/cause/cause.ts';
import type { DeviceId } from '#core/device/device.ts';
import { type SampleValue, timelineOf } from '#core/past/history/sample.ts';
import { entryFromText } from '#core/past/timeline/timeline-line.ts';
import type { RecordedSeries, TimeWindow } from '#core/automation-replay/simulation.ts';

/** The logbook tells which command or automation each change answered. */
export type RecordedCauses = ReturnType<typeof createRecordedCauses>;
type Change = { readonly atMs: number; readonly value: SampleValue };

/** The logbook writes its line before the sample, perhaps in the tenth of a second before. */
const APART_MS = 200;

type Line = Change & { readonly cause: Cause | null };
type Lines = { readonly list: Line[]; first: number };

export function createRecordedCauses(devices: readonly DeviceId[], series: ReadonlyMap<string, RecordedSeries>) {
  const lines = new Map<string, Lines>();
  const unsure = new Map<DeviceId, readonly TimeWindow[]>();
  for (const device of devices) {
    const timeline = series.get(timelineOf(device));
    if (timeline !== undefined) unsure.set(device, readLines(device, timeline, lines));
  }
  return {
    /** Finds the causes of one feature's changes; `null`: nobody is known to have commanded it. Times must not go back. */
    finderOf: (device: DeviceId, key: string): ((change: Change) => Cause | null) => {
      const found = lines.get(`${device} ${key}`);
      if (found === undefined) return () => null;
      return ({ atMs, value }) => {
        while ((found.list[found.first]?.atMs ?? Infinity) < atMs - APART_MS) found.first += 1;
        for (let at = found.first; (found.list[at]?.atMs ?? Infinity) <= atMs + APART_MS; at += 1) {
          const line = found.list[at];
          // A line without a cause is of a change that somebody commanded.
          if (line?.value === value) return line.cause ?? DIRECT;
        }
        return null;
      };
    },
    /** When so much happened to a device that lines were left out. */
    unsure: (device: DeviceId): readonly TimeWindow[] => unsure.get(device) ?? [],
  };
}

function readLines(device: DeviceId, timeline: RecordedSeries, lines: Map<string, Lines>): readonly TimeWindow[] {
  const unsure: TimeWindow[] = [];
  let lastMs = -Infinity;
  for (let at = 0; at < timeline.timesMs.length; at += 1) {
    const atMs = timeline.timesMs[at] ?? 0;
    const entry = entryFromText(timeline.values[at] ?? '');
    if (entry?.type === 'lines.skipped') unsure.push({ fromMs: lastMs, toMs: atMs });
    lastMs = atMs;
    if (entry?.type !== 'feature.changed') continue;
    const feature = `${device} ${entry.key}`;
    const known = lines.get(feature) ?? { list: [], first: 0 };
    known.list.push({ atMs, value: entry.value, cause: entry.cause });
    lines.set(feature, known);
  }
  return unsure;
}
