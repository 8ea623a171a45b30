import { isJsonObject, parseJson, type JsonValue } from '#base/json.ts';
import { createTurnQueue } from '#base/turn-queue.ts';
import type { Feature } from '#core/feature/feature.ts';
import type { Log } from '#base/log.ts';
import type { HistoryLimits, HistoryStore } from './history-store.ts';
import { RECORDING_MODES, type FeatureRecording, type RecordingRule } from './recording-settings.ts';

export type HistorySettings = {
  /** Samples older than this go, a month at a time. */
  readonly rawDays: number;
  /** All months together may take this; `null` for a tenth of the disk, 1 GiB at most. */
  readonly maxBytes: number | null;
  /** The first rule that fits a feature counts. */
  readonly per: readonly HistoryRule[];
};

export type HistoryRule = {
  readonly match: RuleMatch;
  /** Counts where the feature itself is `auto`. */
  readonly recording: FeatureRecording['mode'];
  /** Samples older than this go, and their hours stay; `null`: as all others. */
  readonly rawDays: number | null;
};
/** One of them; rooms and devices by their ids. */
type RuleMatch = { readonly capability: string } | { readonly room: string } | { readonly device: string };

type HistorySettingsStore = {
  readonly loadMeta: () => Promise<ReadonlyMap<string, string>>;
  readonly putMeta: (entries: ReadonlyMap<string, string>) => Promise<void>;
};

export type OpenHistorySettings = {
  readonly present: () => HistorySettings;
  /** On disk before it takes effect. Runs `authorize` right before it writes. */
  readonly update: (change: Partial<HistorySettings>, authorize: () => void) => Promise<HistorySettings>;
  readonly onChange: (listener: () => void) => void;
  readonly ruleOf: RecordingRule;
  /** The days of the first rule that fits the feature; `null` without one of its own. */
  readonly rawDaysOf: (...of: Parameters<RecordingRule>) => number | null;
};

/** A little more than a year, so that a month can be compared with the same one of last year. */
export const USUAL_HISTORY: HistorySettings = { rawDays: 400, maxBytes: null, per: [] };
export const MAX_RULES = 200;
const META = 'history_settings';

export async function openHistorySettings(store: HistorySettingsStore, log: Log): Promise<OpenHistorySettings> {
  const turn = createTurnQueue();
  const listeners: (() => void)[] = [];
  const kept = (await store.loadMeta()).get(META);
  const read = kept === undefined ? USUAL_HISTORY : readSettings(parseJson(kept));
  if (read === undefined) log.error('the settings of history cannot be read, and the usual ones hold');
  let settings = read ?? USUAL_HISTORY;
  const ruleFor = (...[device, feature]: Parameters<RecordingRule>): HistoryRule | undefined =>
    settings.per.find(({ match }) => fits(match, device, feature));
  return {
    present: () => settings,
    update: (change, authorize) =>
      turn(async () => {
        const next = { ...settings, ...change };
        authorize();
        await store.putMeta(new Map([[META, JSON.stringify(next)]]));
        settings = next;
        for (const listener of listeners) listener();
        return next;
      }),
    onChange: (listener) => void listeners.push(listener),
    ruleOf: (...of) => ruleFor(...of)?.recording ?? 'auto',
    rawDaysOf: (...of) => ruleFor(...of)?.rawDays ?? null,
  };
}

function fits(match: RuleMatch, device: Parameters<RecordingRule>[0], feature: Feature): boolean {
  if ('capability' in match) return match.capability === feature.capability;
  return 'room' in match ? match.room === device.roomId : match.device === device.id;
}

/** `undefined` for what no hub wrote, as after a restore of a file that somebody changed. */
function readSettings(value: JsonValue | undefined): HistorySettings | undefined {
  if (value === undefined || !isJsonObject(value)) return undefined;
  const { rawDays, maxBytes, per } = value;
  const isCount = (count: JsonValue | undefined): count is number => typeof count === 'number' && count >= 1;
  if (!isCount(rawDays) || !(maxBytes === null || isCount(maxBytes)) || !Array.isArray(per)) return undefined;
  const rules = per.flatMap((rule) => readRule(rule) ?? []);
  return rules.length === per.length ? { rawDays, maxBytes, per: rules } : undefined;
}

function readRule(value: JsonValue): HistoryRule | undefined {
  if (!isJsonObject(value) || value['match'] === undefined || !isJsonObject(value['match'])) return undefined;
  const { match, recording, rawDays: days } = value;
  const [kind, name] = Object.entries(match)[0] ?? [];
  const mode = RECORDING_MODES.find((one) => one === recording);
  if (mode === undefined || typeof name !== 'string') return undefined;
  // Rules of an earlier version have none.
  const rawDays = typeof days === 'number' && days >= 1 ? days : null;
  if (kind === 'capability') return { match: { capability: name }, recording: mode, rawDays };
  if (kind === 'room') return { match: { room: name }, recording: mode, rawDays };
  return kind === 'device' ? { match: { device: name }, recording: mode, rawDays } : undefined;
}

type RetentionDeps = {
  readonly history: Pick<HistoryStore, 'forgetMonths'>;
  readonly settings: HistorySettings;
  readonly hubClock: { readonly nowMs: () => number; readonly isSynced: () => boolean };
  /** The size of the file system on which the history is. */
  readonly diskBytes: number;
  readonly log: Log;
};

const DAY_MS = 86_400_000;
const MAX_BYTES = 1024 ** 3;
const MAX_PART_OF_DISK = 0.1;

/** Removes the months that are too old, or for which there is no room. A clock that may be wrong removes nothing. */
export async function forgetOldHistory(deps: RetentionDeps): Promise<void> {
  if (!deps.hubClock.isSynced()) return;
  const months = await deps.history.forgetMonths(limitsOf(deps));
  if (months.length > 0) deps.log.info('old history was removed', { months });
}

/** The months that `forgetOldHistory` would remove with these settings. */
export async function findOldHistory(deps: Omit<RetentionDeps, 'log'>): Promise<readonly string[]> {
  return deps.hubClock.isSynced() ? deps.history.forgetMonths({ ...limitsOf(deps), isTrial: true }) : [];
}

/**
 * How much the month that is open may take of all that history may: the one before it must not go as soon as another begins.
 * A clock that may be wrong removes no month, so recording ends at twice the limit instead.
 */
export function monthLimit(
  deps: Omit<RetentionDeps, 'history' | 'log'>,
  { ofMonth, ofAll }: { readonly ofMonth: number; readonly ofAll: number },
): number {
  const { maxBytes } = limitsOf(deps);
  return deps.hubClock.isSynced() ? maxBytes / 2 : Math.min(maxBytes / 2, ofMonth + 2 * maxBytes - ofAll);
}

function limitsOf({ settings, hubClock, diskBytes }: Omit<RetentionDeps, 'history' | 'log'>): HistoryLimits {
  return {
    keepFromMs: hubClock.nowMs() - settings.rawDays * DAY_MS,
    maxBytes: settings.maxBytes ?? Math.min(MAX_BYTES, diskBytes * MAX_PART_OF_DISK),
  };
}
