import type { DeviceId } from '#core/device/device.ts';
import { type GapReason, RUN_SERIES } from '#core/past/history/sample.ts';
import { markOf } from '#core/past/history/thinning.ts';
import type { RecordedCauses } from '#core/automation-replay/recorded/recorded-causes.ts';
import type { Missing, MissingReason, RecordedSeries, TimeWindow } from './simulation.ts';

const MARK_MS = 3_600_000;
/** Nobody looks at more of them. */
const MAX_MISSING = 200;

/** Finds the gaps in the samples, but for those that the hub saw as well, and what the replay left out. */
export function missingIn({ own, series, devices, causes }: MissingFrom, window: TimeWindow): readonly Missing[] {
  const found: Missing[] = [];
  const hub = series.get(RUN_SERIES);
  for (const name of own) {
    const samples = series.get(name);
    if (samples !== undefined) found.push(...gapsOf(samples, window));
    // Where the hub counts as on, nothing but the values is missing.
    if (samples !== undefined && hub === undefined) {
      const unrecorded = gapsOf(samples, window, ['hub_off']);
      found.push(...unrecorded.map((one) => ({ ...one, reason: 'not_recorded' as const })));
    }
    const marks = series.get(markOf(name));
    for (let at = 0; at < (marks?.timesMs.length ?? 0); at += 1) {
      const fromMs = marks?.timesMs[at] ?? 0;
      found.push({ series: name, reason: 'thinned', fromMs, toMs: fromMs + MARK_MS });
    }
  }
  for (const device of devices) {
    for (const span of causes.unsure(device)) found.push({ ...span, series: device, reason: 'cause_unknown' });
  }
  if (hub !== undefined) {
    // Before its first sample the hub was not there, whatever was imported for that time.
    const firstMs = hub.timesMs[0] ?? window.toMs;
    found.push({ series: RUN_SERIES, reason: 'hub_off', fromMs: window.fromMs, toMs: firstMs });
    found.push(...gapsOf(hub, window, ['hub_off']));
  }
  return found;
}

type MissingFrom = {
  /** The names of features, modes, variables and people. */
  readonly own: Iterable<string>;
  readonly series: ReadonlyMap<string, RecordedSeries>;
  readonly devices: readonly DeviceId[];
  readonly causes: Pick<RecordedCauses, 'unsure'>;
};

const UNKNOWN: readonly GapReason[] = ['clock_unset', 'paused', 'lost', 'deleted', 'not_recorded'];

function gapsOf(
  { name, timesMs, gaps }: RecordedSeries,
  { toMs }: TimeWindow,
  reasons: readonly GapReason[] = UNKNOWN,
): readonly Missing[] {
  return [...gaps].flatMap(([at, { gap }]): readonly Missing[] => {
    if (!reasons.includes(gap)) return [];
    return [{ series: name, reason: gap as MissingReason, fromMs: timesMs[at] ?? 0, toMs: timesMs[at + 1] ?? toMs }];
  });
}

/** Cut at the ends of the window, in order, those that touch joined. */
export function tidyMissing(missing: readonly Missing[], { fromMs, toMs }: TimeWindow): readonly Missing[] {
  const last = new Map<string, number>();
  const tidy: Missing[] = [];
  for (const one of missing.toSorted((left, right) => left.fromMs - right.fromMs)) {
    const cut = { ...one, fromMs: Math.max(fromMs, one.fromMs), toMs: Math.min(toMs, one.toMs) };
    if (cut.fromMs >= cut.toMs) continue;
    const name = `${one.reason} ${one.series}`;
    const at = last.get(name);
    const before = at === undefined ? undefined : tidy[at];
    const isNext = before !== undefined && (cut.fromMs <= before.toMs || tidy.length >= MAX_MISSING);
    if (isNext && at !== undefined) tidy[at] = { ...before, toMs: Math.max(before.toMs, cut.toMs) };
    else if (tidy.length < 2 * MAX_MISSING) last.set(name, tidy.push(cut) - 1);
  }
  return tidy;
}
