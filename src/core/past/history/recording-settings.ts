import { HubError, fieldError } from '#base/hub-error.ts';
import { createTurnQueue } from '#base/turn-queue.ts';
import type { Device, DeviceId } from '#core/device/device.ts';
import type { Feature } from '#core/feature/feature.ts';
import { isRecordedByItself, seriesKindOf } from './recorded-feature.ts';

/** `auto`: the hub decides by what the feature is, and whether automations look at it. */
export const RECORDING_MODES = ['auto', 'on', 'off'] as const;

export type FeatureRecording = {
  readonly mode: (typeof RECORDING_MODES)[number];
  /** At most one sample in this time; `null` for every change. */
  readonly minIntervalS: number | null;
  /** A number that differs by no more than this from the last sample makes none; `null` for every change. */
  readonly deadband: number | null;
};

export type StoredRecording = FeatureRecording & { readonly deviceId: DeviceId; readonly key: string };

/** Settings go with the row of their device: a device that comes back after its removal has them again. */
export type RecordingStore = {
  readonly loadRecordings: () => Promise<readonly StoredRecording[]>;
  readonly saveRecording: (recording: StoredRecording) => Promise<void>;
  readonly deleteRecording: (deviceId: DeviceId, key: string) => Promise<void>;
};

export type RecordingChange = Partial<FeatureRecording>;
type RecordedDevice = Pick<Device, 'id'> & Partial<Pick<Device, 'roomId'>>;

/** How each feature is recorded. Changes are on disk before they take effect. */
export type RecordingSettings = Awaited<ReturnType<typeof openRecordingSettings>>;

/** More than a home has features; each costs memory at the start. */
const MAX_SETTINGS = 10_000;

export const USUAL_RECORDING: FeatureRecording = { mode: 'auto', minIntervalS: null, deadband: null };

/** The rules of the home decide about a feature that is `auto`. */
export type RecordingRule = (device: RecordedDevice, feature: Feature) => FeatureRecording['mode'];

export async function openRecordingSettings(
  store: RecordingStore,
  ruleOf: RecordingRule = () => 'auto',
  usedBefore: ReadonlySet<string> = new Set(),
) {
  const settings = new Map<DeviceId, Map<string, FeatureRecording>>();
  const listeners: ((device: Device, feature: Feature) => void)[] = [];
  const turn = createTurnQueue();
  let used = usedBefore;
  const put = (id: DeviceId, key: string, { mode, minIntervalS, deadband }: FeatureRecording): void => {
    const ofDevice = settings.get(id) ?? new Map<string, FeatureRecording>();
    settings.set(id, ofDevice);
    if (isUsual({ mode, minIntervalS, deadband })) ofDevice.delete(key);
    else ofDevice.set(key, { mode, minIntervalS, deadband });
    if (ofDevice.size === 0) settings.delete(id);
  };
  for (const stored of await store.loadRecordings()) put(stored.deviceId, stored.key, stored);
  const of = ({ id }: RecordedDevice, key: string): FeatureRecording => settings.get(id)?.get(key) ?? USUAL_RECORDING;
  const modeOf = (device: RecordedDevice, feature: Feature): FeatureRecording['mode'] => {
    const { mode } = of(device, feature.key);
    return mode === 'auto' ? ruleOf(device, feature) : mode;
  };
  return {
    of,
    /** Whether it is, or would be soon, once an automation looks at it. */
    isRecordedIfUsed: (device: RecordedDevice, feature: Feature): boolean =>
      modeOf(device, feature) !== 'off' && isRecordable(feature),
    isRecorded: (device: RecordedDevice, feature: Feature): boolean => {
      const mode = modeOf(device, feature);
      if (mode === 'auto')
        return isRecordedByItself(feature) || (isRecordable(feature) && used.has(`${device.id}/${feature.key}`));
      return mode === 'on' && isRecordable(feature);
    },
    /** Throws HubError for what the feature cannot have. Runs `authorize` right before it writes. */
    update: (
      device: Device,
      feature: Feature,
      { change, authorize }: { readonly change: RecordingChange; readonly authorize: () => void },
    ): Promise<FeatureRecording> =>
      turn(async () => {
        const { id } = device;
        const { key } = feature;
        const next = { ...of(device, key), ...change };
        refuseUnfit(feature, next);
        const count = [...settings.values()].reduce((sum, ofDevice) => sum + ofDevice.size, 0);
        if (count >= MAX_SETTINGS && settings.get(id)?.has(key) !== true) {
          throw new HubError('LIMIT_REACHED', `At most ${MAX_SETTINGS} features can have settings of their own.`);
        }
        authorize();
        if (isUsual(next)) await store.deleteRecording(id, key);
        else await store.saveRecording({ deviceId: id, key, ...next });
        put(id, key, next);
        for (const listener of listeners) listener(device, feature);
        return next;
      }),
    /** What automations look at, as `<device id>/<key>`, is recorded too unless somebody decided otherwise. `changed`: of it. */
    use: (names: ReadonlySet<string>, changed: readonly (readonly [Device, Feature])[]): void => {
      used = names;
      for (const [device, feature] of changed) for (const listener of listeners) listener(device, feature);
    },
    used: (): ReadonlySet<string> => used,
    onChange: (listener: (device: Device, feature: Feature) => void): void => void listeners.push(listener),
  };
}

function isRecordable(feature: Feature): boolean {
  return seriesKindOf(feature) !== null;
}

function isUsual({ mode, minIntervalS, deadband }: FeatureRecording): boolean {
  return mode === 'auto' && minIntervalS === null && deadband === null;
}

function refuseUnfit(feature: Feature, { minIntervalS, deadband }: FeatureRecording): void {
  const kind = seriesKindOf(feature);
  if (kind === null) throw new HubError('NOT_SUPPORTED', 'Nothing can be recorded of this feature.');
  if (deadband !== null && feature.valueType !== 'number') throw unfit('/deadband', 'is only for numbers');
  // Who counts presses later would miss those that were left out.
  if (minIntervalS !== null && kind === 'event') throw unfit('/min_interval_s', 'is not for things that happen');
}

function unfit(pointer: string, message: string): HubError {
  return new HubError('VALIDATION_FAILED', 'The feature cannot be recorded in this way.', {
    errors: [fieldError(pointer, 'INVALID_VALUE', message)],
  });
}
