import { eachInSlices } from '#base/work-slices.ts';
import type { JsonValue } from '#base/json.ts';
import type { Runtime } from '#base/time/runtime.ts';
import type { AvailabilityState, Device } from '#core/device/device.ts';
import type { HomeEvent } from '#core/event/event.ts';
import { type Feature, type FeatureState, UNREPORTED } from '#core/feature/feature.ts';
import { type House, houseSeriesOf, type HouseValue, houseValueOf, houseValues } from './house-series.ts';
import type { HistoryStore } from './history-store.ts';
import { createSampleSender, createTextSender, type HeardSamples, type RecorderClock } from './sample-sender.ts';
import { seriesKindOf } from './recorded-feature.ts';
import { type RecordingSettings, USUAL_RECORDING } from './recording-settings.ts';
import type { RecordingBudget } from '#core/past/history/tracks/recording-budget.ts';
import { createTracks } from '#core/past/history/tracks/tracks.ts';
import { type GapMark, type GapReason, isGap, isSampleValue, RUN_SERIES } from './sample.ts';

/** Turns what devices report into samples: changes only, and the gaps in which nothing is known. */
export type Recorder = {
  /** To be called with each report of values, even if it repeats them. */
  readonly noteValues: (
    device: RecordedDevice,
    values: ReadonlyMap<string, JsonValue>,
    observedAtMs: number | undefined,
  ) => void;
  readonly noteEvent: (event: HomeEvent) => void;
  /** To be called when a person changed how a feature is recorded. */
  readonly noteRecording: (device: RecordedDevice, feature: Feature) => void;
  /** Keeps a text as a sample of a series that is of no feature. */
  readonly addText: (series: string, text: string) => void;
  /** Gives the storage what was noted, which it gets a little later anyway. */
  readonly send: () => void;
  readonly heard: HeardSamples;
  /** Notes that nothing is known from now on. Resolves when everything is on disk. */
  readonly stop: () => Promise<void>;
};

type RecordedDevice = Pick<Device, 'id' | 'states' | 'integration'> & {
  readonly featuresByKey?: ReadonlyMap<string, Feature>;
  readonly features: readonly Feature[];
};

type RecorderDeps = Pick<Runtime, 'clock' | 'startTimer' | 'log'> & {
  readonly store: HistoryStore;
  /** All devices, with the values of the last run as restored ones. */
  readonly devices: () => readonly RecordedDevice[];
  readonly house: House;
  readonly hubClock: RecorderClock;
  readonly recording: Pick<RecordingSettings, 'of' | 'isRecorded'>;
  readonly budget: Pick<RecordingBudget, 'take'>;
};

export const AVAILABILITY = 'availability';

/** Continues the series of the last run: where its end is not known, a gap `hub_off` begins at the last sample of all. */
export async function openRecorder(deps: RecorderDeps): Promise<Recorder> {
  const { store, clock, recording } = deps;
  const { isRecorded } = recording;
  const sender = createSampleSender(deps);
  // The times of the last run must be right before its end is looked for.
  await sender.keepShifts();
  const { take, ofDevice, forget, end, note, settle, gap, gapAll } = createTracks(deps, sender.add);
  const describe = (feature: Feature) => () => ({ kind: seriesKindOf(feature) ?? 'state', unit: feature.unit });

  const noteAvailability = (device: RecordedDevice, state: AvailabilityState): void => {
    note(
      take(device, AVAILABILITY, () => ({ kind: 'state', unit: null })),
      state,
      { ageMs: 0, limits: USUAL_RECORDING },
    );
    // A device that sleeps keeps its values; of one that cannot be reached nothing is known.
    if (state !== 'offline' && state !== 'unknown') return;
    for (const [key, track] of ofDevice(device)) if (key !== AVAILABILITY) gap(track, 'offline');
  };
  /** A feature that went, or became another one, has no value until the next report. */
  const noteChange = (device: RecordedDevice): void =>
    end(device, 'offline', (key) => key !== AVAILABILITY && !device.states.has(key));
  const noteHouse = ({ noun, key, kind, value }: HouseValue): void => {
    const owner = { id: noun };
    if (value === null) return end(owner, 'not_recorded', (one) => one === key);
    const track = take(owner, key, () => ({ kind, unit: null }));
    note(track, value, { ageMs: 0, limits: USUAL_RECORDING });
  };

  await beginRun(deps);
  houseValues(deps.house).forEach(noteHouse);

  return {
    noteValues: (device, values, observedAtMs) => {
      const ageMs = observedAtMs === undefined ? 0 : Math.max(0, clock.wallMs() - observedAtMs);
      for (const [key, value] of values) {
        const feature = device.featuresByKey?.get(key) ?? device.features.find((one) => one.key === key);
        const state = device.states.get(key);
        // A value that the hub refused is no report: the state still has the one before.
        if (feature === undefined || state?.quality !== 'confirmed' || state.value !== value) continue;
        if (!isSampleValue(value) || !isRecorded(device, feature)) continue;
        note(take(device, key, describe(feature)), value, { ageMs, limits: recording.of(device, key) });
      }
    },
    noteEvent: (event) => {
      if (event.type === 'feature.changed') {
        const track = ofDevice(event.device).get(event.key);
        if (track !== undefined && event.state.quality === 'stale') gap(track, 'stale');
        if (track !== undefined && event.state.quality === 'none') gap(track, reasonOf(event.state));
      } else if (event.type === 'availability.changed') noteAvailability(event.device, event.availability.state);
      else if (event.type === 'device.removed') end(event.device, 'offline', () => true);
      else if (event.type === 'device.changed') noteChange(event.device);
      else if (event.type === 'feature.occurred') {
        const feature = event.device.features.find(({ key }) => key === event.key);
        if (feature === undefined || !isRecorded(event.device, feature)) return;
        const track = take(event.device, event.key, describe(feature));
        note(track, event.occurrence.action, { ageMs: 0, limits: recording.of(event.device, event.key) });
      } else {
        const changed = houseValueOf(event);
        if (changed !== undefined) noteHouse(changed);
      }
    },
    noteRecording: (device, feature) => {
      const { key } = feature;
      const track = ofDevice(device).get(key);
      if (!isRecorded(device, feature)) {
        if (track !== undefined) gap(track, 'not_recorded');
        forget(device, key);
      } else if (track !== undefined) settle(track);
      else {
        const { quality, value } = device.states.get(key) ?? UNREPORTED;
        if (quality !== 'confirmed' || !isSampleValue(value)) return;
        note(take(device, key, describe(feature)), value, { ageMs: 0, limits: recording.of(device, key) });
      }
    },
    addText: createTextSender(store, sender.add),
    send: sender.send,
    heard: sender.heard,
    stop: async () => {
      gapAll('hub_off');
      sender.add(RUN_SERIES, { gap: 'hub_off' });
      sender.stop();
      sender.send();
      await store.flush();
    },
  };
}

/** The hub makes a value that no device reported out of several: where it has none, one of these cannot be reached. */
const reasonOf = ({ observedAtMs }: FeatureState): GapReason => (observedAtMs === null ? 'offline' : 'unknown');

export function seriesOf(device: Pick<Device, 'id'>, key: string): string {
  return `${device.id}/${key}`;
}

/** Its times are hub time already, which no synchronisation of the clock moves. */
const HUB_TIME = 'hub-time';
/** The least difference of times that is kept. */
const TICK_MS = 100;

/**
 * A run that did not end in order ended at its last sample or later. Each feature that may have had a value then gets a
 * gap from there on. Nothing is read of them: a home has thousands.
 */
async function beginRun({ store, devices, house, hubClock, clock, recording }: RecorderDeps): Promise<void> {
  const { lastSampleMs } = await store.readUsage();
  const ended = await store.findBefore(RUN_SERIES, Infinity);
  const isOrderly = ended !== null && isGap(ended.value);
  if (lastSampleMs !== null && !isOrderly) {
    const atMs = lastSampleMs + TICK_MS;
    const value: GapMark = { gap: 'hub_off', isUncertain: true };
    const people = houseValues(house).filter(({ noun }) => noun === 'presence');
    store.append({
      epoch: HUB_TIME,
      samples: people.map(({ noun, key }) => ({ series: houseSeriesOf(noun, key), atMs, value })),
    });
    await eachInSlices(devices(), clock.monotonicMs, (device) => {
      const known = device.features.filter(
        (feature) => device.states.has(feature.key) && recording.isRecorded(device, feature),
      );
      const keys = [AVAILABILITY, ...known.map(({ key }) => key)];
      store.append({
        epoch: HUB_TIME,
        samples: keys.map((key) => ({ series: seriesOf(device, key), atMs, value })),
      });
    });
  }
  store.describeSeries([{ name: RUN_SERIES, kind: 'state', unit: null }]);
  store.append({ epoch: hubClock.epoch(), samples: [{ series: RUN_SERIES, atMs: hubClock.nowMs(), value: true }] });
}
