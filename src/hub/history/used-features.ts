import { parseJson } from '#base/json.ts';
import type { Runtime } from '#base/time/runtime.ts';
import type { Clock } from '#base/time/clock.ts';
import { eachInSlices } from '#base/work-slices.ts';
import type { Definition } from '#core/automation/document/definition.ts';
import type { AutomationRegistry } from '#core/automation/registry/automation-registry.ts';
import type { UsedSeries } from '#core/automation-replay/recorded/used-series.ts';
import type { Device } from '#core/device/device.ts';
import type { DeviceRegistry } from '#core/device/device-registry.ts';
import type { EventLog } from '#core/event/event-log.ts';
import type { Feature } from '#core/feature/feature.ts';
import { isRecordedByItself, seriesKindOf } from '#core/past/history/recorded-feature.ts';
import type { RecordingSettings } from '#core/past/history/recording-settings.ts';

export type UsedFeaturesDeps = Pick<Runtime, 'startTimer' | 'log'> & {
  readonly automations: Pick<AutomationRegistry, 'automations' | 'subscribe'>;
  readonly devices: Pick<DeviceRegistry, 'findDevice'>;
  readonly events: Pick<EventLog, 'subscribe'>;
  readonly recording: Pick<RecordingSettings, 'use' | 'used'>;
  readonly usedBy: (definitions: readonly Definition[]) => UsedSeries;
  readonly addMeta: (entries: ReadonlyMap<string, string>) => void;
  readonly clock: Pick<Clock, 'monotonicMs'>;
};

/** The recorder begins before automations are read, and must know of which series a crash cut the end. */
const META = 'used_features';
/** A start of the hub brings many devices, which are looked at together. */
const GATHER_MS = 1_000;
/** So many definitions at once take about a millisecond. */
const DEFINITIONS_AT_ONCE = 20;

/** Reads which features automations looked at when the hub ended, as `<device id>/<key>`. */
export function readUsedFeatures(meta: ReadonlyMap<string, string>): ReadonlySet<string> {
  const names = parseJson(meta.get(META) ?? '[]');
  return new Set(Array.isArray(names) ? names.filter((name) => typeof name === 'string') : []);
}

/** Has recorded what automations look at and nothing else would record, so that a replay of tomorrow is whole. */
export function followUsedFeatures(deps: UsedFeaturesDeps): () => void {
  const { automations, recording, startTimer, log } = deps;
  let stopTimer: (() => void) | undefined;
  let isStopped = false;
  const look = async (): Promise<void> => {
    const used = await findUsed(deps);
    if (isStopped) return;
    const names = new Set(used.keys());
    const old = recording.used();
    const news = [...names].filter((name) => !old.has(name));
    const gone = [...old].filter((name) => !names.has(name));
    if (news.length + gone.length === 0) return;
    deps.addMeta(new Map([[META, JSON.stringify([...names])]]));
    recording.use(
      names,
      [...news, ...gone].flatMap((name) => {
        const feature = featureOf(deps, name);
        return feature === undefined ? [] : [feature];
      }),
    );
  };
  const schedule = (): void => {
    stopTimer ??= startTimer(GATHER_MS, () => {
      stopTimer = undefined;
      look().catch((cause: unknown) => log.error('what automations look at cannot be found', { cause }));
    });
  };
  const ends = [
    automations.subscribe(schedule),
    deps.events.subscribe(({ type }) => {
      if (type === 'device.added' || type === 'device.changed' || type === 'device.removed') schedule();
    }),
  ];
  schedule();
  return () => {
    isStopped = true;
    stopTimer?.();
    for (const end of ends) end();
  };
}

type UsedFeature = readonly [Device, Feature];

async function findUsed(deps: UsedFeaturesDeps): Promise<ReadonlyMap<string, UsedFeature>> {
  const definitions = deps.automations.automations().map(({ definition }) => definition);
  const starts = Array.from({ length: Math.ceil(definitions.length / DEFINITIONS_AT_ONCE) }, (_, at) => at);
  const used = new Map<string, UsedFeature>();
  await eachInSlices(starts, deps.clock.monotonicMs, (at) => {
    const part = definitions.slice(at * DEFINITIONS_AT_ONCE, (at + 1) * DEFINITIONS_AT_ONCE);
    for (const name of deps.usedBy(part).own.keys()) {
      const feature = featureOf(deps, name);
      if (feature !== undefined) used.set(name, feature);
    }
  });
  return used;
}

/** The feature of a series, unless it is recorded by itself. */
function featureOf({ devices }: Pick<UsedFeaturesDeps, 'devices'>, name: string): UsedFeature | undefined {
  const slash = name.indexOf('/');
  const device = devices.findDevice(name.slice(0, slash));
  const feature = device?.features.find(({ key }) => key === name.slice(slash + 1));
  if (device === undefined || feature === undefined) return undefined;
  return seriesKindOf(feature) === null || isRecordedByItself(feature) ? undefined : [device, feature];
}
