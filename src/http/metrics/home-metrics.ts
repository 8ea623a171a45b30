import { eachInSlices } from '#base/work-slices.ts';
import type { Device } from '#core/device/device.ts';
import type { FeatureState } from '#core/feature/feature.ts';
import { seriesKindOf } from '#core/past/history/recorded-feature.ts';
import type { Room } from '#core/room/room.ts';
import { createFamilyText, type FamilyText, labelText, type MetricFamily } from './exposition.ts';

const FEATURE: MetricFamily = {
  name: 'hearthd_feature',
  type: 'gauge',
  help: 'Present value of a feature; booleans are 0 or 1. Absent while the hub does not know it.',
};
// Not hearthd_counter_total: promtool refuses a name that has the type of its metric.
const COUNTER: MetricFamily = {
  name: 'hearthd_feature_total',
  type: 'counter',
  help: 'Reading of a meter, such as energy or water. Absent while the hub does not know it.',
};
const AVAILABLE: MetricFamily = {
  name: 'hearthd_available',
  type: 'gauge',
  help: 'Whether a device can be reached: 1 if it is online or asleep, 0 if it is offline. Absent if that is not known.',
};
const LEFT_OUT: MetricFamily = {
  name: 'hearthd_samples_left_out',
  type: 'gauge',
  help: 'Samples of devices that this answer lacks, because it would have had more than 10000 lines.',
};
/** `LEFT_OUT` takes so many lines. */
const LEFT_OUT_LINES = 3;

export type HomeMetricsDeps = {
  readonly devices: () => readonly Device[];
  readonly findRoom: (id: string) => Room | undefined;
  readonly monotonicMs: () => number;
};

/** An answer may have so much of the devices. */
type HomePart = {
  readonly seesDevice: (device: Device) => boolean;
  readonly maxLines: number;
};

type Sample = { readonly family: FamilyText; readonly key: string | null; readonly unit: string | null } & {
  readonly value: number | boolean;
};

/**
 * The metrics of the devices in the order of their names. The device that would exceed the limit is left out, and so is
 * every later one that does not fit.
 */
export async function renderHomeMetrics(
  { devices, findRoom, monotonicMs }: HomeMetricsDeps,
  { seesDevice, maxLines }: HomePart,
): Promise<readonly Buffer[]> {
  const families = {
    feature: createFamilyText(FEATURE),
    counter: createFamilyText(COUNTER),
    available: createFamilyText(AVAILABLE),
  };
  const all = Object.values(families);
  let linesLeft = maxLines - LEFT_OUT_LINES - all.reduce((sum, family) => sum + family.lines(), 0);
  let leftOut = 0;
  await eachInSlices(devices(), monotonicMs, (device) => {
    if (!seesDevice(device)) return;
    const samples = samplesOf(device, families);
    if (samples.length > linesLeft) {
      leftOut += samples.length;
      return;
    }
    linesLeft -= samples.length;
    const room = device.roomId === null ? null : (findRoom(device.roomId)?.selector ?? null);
    for (const { family, key, unit, value } of samples) {
      family.add(labelText({ device: device.selector, key, room, unit }), value);
    }
  });
  const rest = createFamilyText(LEFT_OUT);
  rest.add('', leftOut);
  return [...all, rest].flatMap((family) => family.chunks());
}

type Families = Readonly<Record<'feature' | 'counter' | 'available', FamilyText>>;

function samplesOf(device: Device, families: Families): readonly Sample[] {
  const samples: Sample[] = [];
  const { state } = device.availability;
  if (state !== 'unknown') {
    samples.push({ family: families.available, key: null, unit: null, value: state !== 'offline' });
  }
  for (const feature of device.features) {
    const value = knownNumber(device, device.states.get(feature.key));
    if (value === undefined || feature.kind !== 'state') continue;
    const family = seriesKindOf(feature) === 'counter' ? families.counter : families.feature;
    samples.push({ family, key: feature.key, unit: feature.unit, value });
  }
  return samples;
}

/**
 * The value, if the device reported it and it still holds. As in the history, nothing is known of a device that cannot
 * be reached until it reports again, and nothing of a value that is only sent, outdated or from before a restart.
 */
function knownNumber({ availability }: Device, state: FeatureState | undefined): number | boolean | undefined {
  if (state?.quality !== 'confirmed') return undefined;
  const isReachable = availability.state === 'online' || availability.state === 'asleep';
  if (!isReachable && (state.observedAtMs ?? 0) < availability.sinceMs) return undefined;
  const { value } = state;
  return typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value)) ? value : undefined;
}
