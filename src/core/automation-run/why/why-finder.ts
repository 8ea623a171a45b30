import { distinctTriggers } from '#core/automation/trigger/distinct-triggers.ts';
import type { FieldError } from '#base/hub-error.ts';
import type { JsonValue } from '#base/json.ts';
import type { AutomationId } from '#core/automation/document/condition.ts';
import type { Definition } from '#core/automation/document/definition.ts';
import type { AutomationRecord, AutomationState } from '#core/automation/registry/automation-record.ts';
import type { DeviceId } from '#core/device/device.ts';
import type { HistoryStore } from '#core/past/history/history-store.ts';
import { AVAILABILITY, seriesOf } from '#core/past/history/recorder.ts';
import { isGap, RUN_SERIES, type GapMark, type SampleValue } from '#core/past/history/sample.ts';
import type { KeptNearMiss } from '#core/automation-run/trace/near-miss-ring.ts';
import type { NearMisses } from '#core/automation-run/trace/near-misses.ts';
import type { RunRegistry } from '#core/automation-run/trace/run-registry.ts';
import type { AutomationRun } from '#core/automation-run/trace/trace.ts';
import { featureOf, type ValuesSeen } from './approach.ts';
import type { Span, Why, Window } from './verdict.ts';
import { explainWhy, type WhyFacts } from './why.ts';

type Version = { readonly version: number; readonly definition: Definition };

/** Finds what a definition would have done in a time, as far as enough was recorded; `undefined` where nobody can say. */
type ReplayWindow = (
  replayed: Version & { readonly id: AutomationId },
  window: Window,
) => Promise<
  | {
      readonly runs: readonly AutomationRun[];
      readonly nearMisses: readonly KeptNearMiss[];
      /** Nothing that could have mattered is missing. */
      readonly isComplete: boolean;
    }
  | undefined
>;

export type WhyDeps = {
  readonly runs: Pick<RunRegistry, 'list' | 'completeSinceMs'>;
  readonly nearMisses: Pick<NearMisses, 'list' | 'completeSinceMs'>;
  readonly automations: {
    /** Newest first. */
    readonly versions: (id: AutomationId) => Promise<readonly { readonly version: number; readonly atMs: number }[]>;
    readonly findVersion: (id: AutomationId, version: number) => Promise<Version | undefined>;
    readonly stateOf: (record: AutomationRecord) => AutomationState;
  };
  readonly history: Pick<HistoryStore, 'readSlice' | 'findBefore'>;
  /** The devices of the home: their samples show when the power went. */
  readonly devices: () => readonly { readonly id: DeviceId }[];
  readonly nowMs: () => number;
  readonly replay: ReplayWindow | undefined;
};

export type WhyAnswer = Why & { readonly version: number | null; readonly window: Window };

/** Devices and features of triggers that are looked at. */
const MOST_SERIES = 20;
const ALL_RUNS = 200;
/** Samples of all series together: a sensor may have a hundred thousand in a day. */
const MOST_SAMPLES = 100_000;

/** Answers why an automation ran, or did not, around a moment. */
export async function findWhy(
  ports: WhyDeps,
  record: AutomationRecord,
  { atMs, window }: { readonly atMs: number; readonly window: Window },
): Promise<WhyAnswer> {
  const deps: Reading = { ...ports, room: { samples: MOST_SAMPLES } };
  const { id } = record;
  const version = await versionAt(deps, record, atMs);
  const triggers = version && distinctTriggers(version.definition);
  const features = (triggers ?? []).flatMap((trigger) => featureOf(trigger) ?? []).slice(0, MOST_SERIES);
  const watched = [...new Set(features.map(({ device }) => device))];
  const hubOff = await readHubOff(deps, watched, window);
  const shared = {
    automation: id,
    atMs,
    window,
    triggers,
    idle: idleOf(deps, record, window),
    hubOff,
    offline: (await Promise.all(watched.map((device) => readOffline(deps, device, window)))).flat(),
    values: await readValues(deps, features, window),
  } satisfies Partial<WhyFacts>;
  const sinceMs = Math.max(deps.runs.completeSinceMs(id), deps.nearMisses.completeSinceMs(id));
  const found = explainWhy({
    ...shared,
    source: 'kept',
    runs: deps.runs.list({ automation: id }, { after: null, limit: ALL_RUNS, maxBytes: Infinity }).runs,
    nearMisses: deps.nearMisses.list(id),
    isComplete: window.fromMs >= sinceMs,
  });
  const answer = { ...found, version: version?.version ?? null, window };
  if (found.code !== 'nothing_kept' || version === undefined || deps.replay === undefined) return answer;
  const replayed = await deps.replay({ ...version, id }, window);
  return replayed === undefined ? answer : { ...answer, ...explainWhy({ ...shared, ...replayed, source: 'replay' }) };
}

async function versionAt(
  { automations, nowMs }: WhyDeps,
  { id, createdAtMs, version, definition }: AutomationRecord,
  atMs: number,
): Promise<Version | undefined> {
  // By the wall clock, which may be ahead of the hub's.
  if (atMs < Math.min(createdAtMs, nowMs())) return undefined;
  const lines = await automations.versions(id);
  // The store keeps only the first and the newest of the old versions.
  const line = lines.find((one) => one.atMs <= atMs) ?? lines.at(-1);
  if (line === undefined || line.version === version) return { version, definition };
  return automations.findVersion(id, line.version);
}

function idleOf({ automations }: WhyDeps, record: AutomationRecord, { fromMs }: Window): WhyFacts['idle'] {
  const { enabled, suspended, updatedAtMs, definition } = record;
  if (!enabled && updatedAtMs <= fromMs) return { verdict: 'disabled' };
  if (suspended !== null && suspended.atMs <= fromMs)
    return { verdict: 'suspended', reason: { id: suspended.code, with: {} } };
  const state = automations.stateOf(record);
  const isBroken = state.state === 'broken' && definition.on_broken !== 'run_rest';
  return isBroken || (state.state === 'ready' && cannotStart(state.misfits, definition))
    ? { verdict: 'broken' }
    : undefined;
}

/** No trigger fits what it watches any more. */
function cannotStart(misfits: readonly FieldError[] = [], { triggers }: Definition): boolean {
  const isWhole = (at: number): boolean => !misfits.some(({ pointer }) => pointer.startsWith(`/triggers/${at}/`));
  return misfits.length > 0 && !triggers.some((_, at) => isWhole(at));
}

type Sampled = { readonly atMs: number; readonly value: SampleValue | GapMark };

type Reading = WhyDeps & { readonly room: { samples: number } };

/** The samples in the window, after the one that held at its beginning. None of them where there are too many. */
async function readSamples({ history, room }: Reading, series: string, window: Window): Promise<readonly Sampled[]> {
  const before = await history.findBefore(series, window.fromMs);
  const samples: Sampled[] = before === null ? [] : [{ atMs: before.atMs, value: before.value }];
  for (let after: number | null = null; ;) {
    const slice = await history.readSlice({ series, ...window }, after);
    room.samples -= slice.values.length;
    if (room.samples < 0) return [];
    for (const [index, value] of slice.values.entries()) {
      samples.push({ atMs: slice.timesMs[index] ?? 0, value: value ?? slice.gaps.get(index) ?? { gap: 'lost' } });
    }
    if (slice.next === null) return samples;
    after = slice.next;
  }
}

async function readValues(
  deps: Reading,
  features: readonly { readonly device: DeviceId; readonly key: string }[],
  window: Window,
): Promise<ValuesSeen> {
  const read = features.map(async ({ device, key }): Promise<[string, readonly JsonValue[]]> => {
    const samples = await readSamples(deps, seriesOf({ id: device }, key), window);
    return [`${device} ${key}`, samples.flatMap(({ value }) => (isGap(value) ? [] : [value]))];
  });
  const found = await Promise.all(read);
  return new Map(found.filter(([, values]) => values.length > 0));
}

async function readOffline(
  deps: Reading,
  device: DeviceId,
  window: Window,
): Promise<readonly (Span & { readonly device: DeviceId })[]> {
  const samples = await readSamples(deps, seriesOf({ id: device }, AVAILABILITY), window);
  return samples.flatMap(({ atMs, value }, index) =>
    value === 'offline' ? [{ device, fromMs: atMs, toMs: samples[index + 1]?.atMs ?? window.toMs }] : [],
  );
}

/** The hub notes its beginnings and orderly ends; after a power cut, the gaps of devices show its end. */
async function readHubOff(deps: Reading, watched: readonly DeviceId[], window: Window): Promise<readonly Span[]> {
  const [any] = deps.devices();
  const devices = any === undefined ? watched : [...watched.slice(0, 1), any.id];
  const names = [RUN_SERIES, ...devices.map((id) => seriesOf({ id }, AVAILABILITY))];
  const found = await Promise.all(names.map((name) => readSamples(deps, name, window)));
  const ends = found
    .flat()
    .filter(({ value }) => isGap(value) && value.gap === 'hub_off')
    .map(({ atMs }) => atMs);
  const spans = await Promise.all(
    [...new Set(ends)].map(async (fromMs): Promise<Span> => {
      const range = { fromMs: fromMs + 1, toMs: deps.nowMs() };
      const { timesMs, values } = await deps.history.readSlice({ series: RUN_SERIES, ...range }, null);
      const next = values.findIndex((value) => value !== null);
      return { fromMs, toMs: next < 0 ? range.toMs : (timesMs[next] ?? range.toMs) };
    }),
  );
  return spans
    .filter((span, index) => span.toMs > window.fromMs && spans.findIndex(({ toMs }) => toMs === span.toMs) === index)
    .map(({ fromMs, toMs }) => ({ fromMs, toMs }));
}
