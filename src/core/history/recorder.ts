import { repeat } from '#base/time/repeat.ts';
import { hubTimeShiftMs, type HubClock } from '#base/time/hub-clock.ts';
import type { Log } from '#base/log.ts';
import type { StartTimer } from '#base/time/timer.ts';
import type { JsonValue } from '#base/json.ts';
import type { AvailabilityState, Device } from '#core/device/device.ts';
import type { HomeEvent } from '#core/event/event.ts';
import type { Feature } from '#core/feature/feature.ts';
import type { HistoryStore, NewSample } from './history-store.ts';
import { seriesKindOf } from './recorded-feature.ts';
import { type GapMark, type GapReason, isGap, type SampleValue } from './sample.ts';

/** Turns what devices report into samples: changes only, and the gaps in which nothing is known. */
export type Recorder = {
  /** To be called with each report of values, even if it repeats them. */
  readonly noteValues: (device: RecordedDevice, keys: Iterable<string>, observedAtMs: number | undefined) => void;
  readonly noteEvent: (event: HomeEvent) => void;
  /** Notes that nothing is known from now on. Resolves when everything is on disk. */
  readonly stop: () => Promise<void>;
};

export type RecordedDevice = Pick<Device, 'id' | 'states'> & {
  readonly featuresByKey?: ReadonlyMap<string, Feature>;
  readonly features: readonly Feature[];
};

export type RecorderDeps = {
  readonly store: HistoryStore;
  readonly hubClock: Pick<HubClock, 'epoch' | 'nowMs' | 'nowInEpochMs'>;
  readonly wallMs: () => number;
  readonly startTimer: StartTimer;
  readonly isRecorded: (device: RecordedDevice, feature: Feature) => boolean;
  readonly log: Log;
};

/** A sample waits for this long, so that those of many devices reach the storage's thread together. */
const GATHER_MS = 100;
const CLOCK_CHECK_MS = 10_000;

type Track = { readonly last: SampleValue | undefined; readonly isGap: boolean };

/**
 * Continues the series of the last run: where its end is not known, a gap `hub_off` begins at the last sample of all.
 */
export async function openRecorder(deps: RecorderDeps): Promise<Recorder> {
  const { store, wallMs } = deps;
  const tracks = new Map<string, Track>();
  const { add, send, stop: stopSending } = createSampleSender(deps);
  const gap = (series: string, reason: GapReason): void => {
    const track = tracks.get(series);
    if (track === undefined || track.isGap) return;
    tracks.set(series, { last: undefined, isGap: true });
    add(series, { gap: reason });
  };
  const trackOf = (series: string, feature: Feature): Track => {
    const known = tracks.get(series);
    if (known !== undefined) return known;
    const kind = seriesKindOf(feature);
    if (kind !== null) store.describeSeries([{ name: series, kind, unit: feature.unit }]);
    const fresh: Track = { last: undefined, isGap: true };
    tracks.set(series, fresh);
    return fresh;
  };
  const noteValue = (device: RecordedDevice, feature: Feature, ageMs: number): void => {
    const state = device.states.get(feature.key);
    if (state === undefined || state.quality !== 'confirmed' || !isSampleValue(state.value)) return;
    if (!deps.isRecorded(device, feature)) return;
    const series = seriesOf(device, feature.key);
    const track = trackOf(series, feature);
    if (!track.isGap && track.last === state.value) return;
    tracks.set(series, { last: state.value, isGap: false });
    add(series, state.value, ageMs);
  };
  const noteAvailability = (device: RecordedDevice, state: AvailabilityState): void => {
    const series = `${device.id}/availability`;
    const track = tracks.get(series);
    if (track === undefined) store.describeSeries([{ name: series, kind: 'state', unit: null }]);
    if (track?.last !== state) {
      tracks.set(series, { last: state, isGap: false });
      add(series, state);
    }
    // A device that sleeps keeps its values; of one that cannot be reached nothing is known.
    if (state === 'offline' || state === 'unknown') {
      for (const { key } of device.features) gap(seriesOf(device, key), 'offline');
    }
  };

  await continueSeries(deps, tracks);

  return {
    noteValues: (device, keys, observedAtMs) => {
      const ageMs = observedAtMs === undefined ? 0 : Math.max(0, wallMs() - observedAtMs);
      for (const key of keys) {
        const feature = device.featuresByKey?.get(key) ?? device.features.find((one) => one.key === key);
        if (feature !== undefined) noteValue(device, feature, ageMs);
      }
    },
    noteEvent: (event) => {
      if (event.type === 'feature.changed') {
        if (event.state.quality === 'stale') gap(seriesOf(event.device, event.key), 'stale');
      } else if (event.type === 'availability.changed') noteAvailability(event.device, event.availability.state);
      else if (event.type === 'device.removed') {
        for (const { key } of event.device.features) gap(seriesOf(event.device, key), 'offline');
      } else if (event.type === 'feature.occurred') {
        const feature = event.device.features.find(({ key }) => key === event.key);
        if (feature === undefined || !deps.isRecorded(event.device, feature)) return;
        const series = seriesOf(event.device, event.key);
        trackOf(series, feature);
        add(series, event.occurrence.action);
      }
    },
    stop: async () => {
      for (const series of tracks.keys()) gap(series, 'hub_off');
      stopSending();
      send();
      await store.flush();
    },
  };
}

type SampleSender = {
  readonly add: (series: string, value: SampleValue | GapMark, ageMs?: number) => void;
  readonly send: () => void;
  readonly stop: () => void;
};

/** Sends samples to the storage's thread in batches, each with the epoch of the clock that counts its times. */
function createSampleSender({ store, hubClock, startTimer, log }: RecorderDeps): SampleSender {
  const waiting: NewSample[] = [];
  let stopTimer: (() => void) | undefined;
  let epoch = hubClock.epoch();

  const send = (): void => {
    stopTimer?.();
    stopTimer = undefined;
    const samples = waiting.splice(0).toSorted((left, right) => left.atMs - right.atMs);
    if (samples.length > 0) store.append({ epoch, samples });
  };
  const followClock = (): void => {
    const past = epoch;
    const now = hubClock.epoch();
    if (now === past) return;
    send();
    epoch = now;
    store.noteShift(past, hubTimeShiftMs(hubClock, past)).catch((cause: unknown) => {
      log.error('the shift of the clock could not be kept: older samples show the time that was known then', { cause });
    });
  };
  const stop = repeat(startTimer, CLOCK_CHECK_MS, followClock);
  return {
    add: (series, value, ageMs = 0) => {
      waiting.push({ series, value, atMs: (hubClock.nowInEpochMs(epoch) ?? hubClock.nowMs()) - ageMs });
      stopTimer ??= startTimer(GATHER_MS, send);
    },
    send,
    stop,
  };
}

export function seriesOf(device: Pick<Device, 'id'>, key: string): string {
  return `${device.id}/${key}`;
}

/** Other values have no history: colours, lists, objects. */
function isSampleValue(value: JsonValue): value is SampleValue {
  return (
    typeof value === 'boolean' || typeof value === 'string' || (typeof value === 'number' && Number.isFinite(value))
  );
}

/** Reads how each series ended in the last run. A run that could not say so ended at its last sample or later. */
async function continueSeries({ store, hubClock }: RecorderDeps, tracks: Map<string, Track>): Promise<void> {
  const open: string[] = [];
  let lastMs = 0;
  for (let after: string | null = null, isFirst = true; isFirst || after !== null; isFirst = false) {
    const page = await store.listSeries(after);
    const lasts = await Promise.all(page.series.map(({ name }) => store.findBefore(name, Infinity)));
    for (const [index, series] of page.series.entries()) {
      lastMs = Math.max(lastMs, series.lastMs);
      const last = lasts[index]?.value;
      if (series.kind === 'event' || last === undefined) continue;
      tracks.set(series.name, { last: isGap(last) ? undefined : last, isGap: true });
      if (!isGap(last)) open.push(series.name);
    }
    after = page.next;
  }
  if (open.length === 0) return;
  const epoch = hubClock.epoch();
  const atMs = lastMs - hubTimeShiftMs(hubClock, epoch);
  const value: GapMark = { gap: 'hub_off', isUncertain: true };
  store.append({ epoch, samples: open.map((series) => ({ series, atMs, value })) });
}
