import { createTokenBuckets } from '#base/token-buckets.ts';
import type { StartTimer } from '#base/time/timer.ts';
import {
  MAX_RECIPIENTS,
  type NotificationContent,
  type NotificationSource,
  type Recipient,
  SEVERITIES,
  type Severity,
} from './notification.ts';
import { worded } from './worded.ts';

/** A notification is shown, waits for its key, or counts in its source's digest. */
type Passage = 'show' | 'hold' | 'digest';

/** Keeps a source that sends too much from filling the list, the disk and people's phones. */
export type FloodGate = ReturnType<typeof createFloodGate>;

/** The notifications of one source that were too many, since the last digest. */
export type Excess = {
  readonly source: NotificationSource;
  readonly to: readonly Recipient[];
  readonly counts: Readonly<Record<Severity, number>>;
  /** Names of devices that some of them are about. */
  readonly devices: readonly string[];
};

/** Whose share of attention a notification takes. */
export type Share = {
  readonly name: string;
  /** Nothing takes a place from it: it is never only counted. */
  readonly isAlways: boolean;
  /** Has a small share of its own too, so that one that comes and goes takes none from its likes. */
  readonly deviceId: string | null;
  /** What a digest calls it, before others where people knew it before. */
  readonly deviceName: string | null;
  readonly isKnown: boolean;
};

type FloodGateDeps = {
  readonly shareOf: (content: NotificationContent) => Share;
  readonly monotonicMs: () => number;
  readonly startTimer: StartTimer;
  /** The newest content of a key, once its ten seconds are over. It counts in the ration of its source. */
  readonly onHeld: (content: NotificationContent) => void;
  readonly onDigest: (excess: Excess) => void;
};

const KEY_MS = 10_000;
const PER_HOUR = 60;
const OF_DEVICE_PER_HOUR = 12;
const MAX_SOURCES = 1_000;
const MAX_DEVICES = 10_000;
const MAX_KEYS = 1_000;
/** The first digest of a storm comes at once, the next one when it is over; a storm that lasts costs few writes. */
const DIGEST_MS = [10_000, 600_000] as const;

type Held = { content: NotificationContent | undefined; readonly cancel: () => void };
type Storm = { excess: Excess | undefined; tellings: number; readonly cancel: () => void };

export function createFloodGate({ shareOf, monotonicMs, startTimer, onHeld, onDigest }: FloodGateDeps) {
  const rationsOf = (perHour: number, maxNames: number) =>
    createTokenBuckets({ capacity: perHour, refillMs: 3_600_000 / perHour, maxNames, monotonicMs });
  const rations = rationsOf(PER_HOUR, MAX_SOURCES);
  const devices = rationsOf(OF_DEVICE_PER_HOUR, MAX_DEVICES);
  const hasLeft = ({ name, deviceId }: Share): boolean =>
    (deviceId === null || devices.take(deviceId)) && rations.take(name);
  const keys = new Map<string, Held>();
  const storms = new Map<string, Storm>();

  const closeKey = (key: string): void => {
    keys.get(key)?.cancel();
    keys.delete(key);
  };
  const openKey = (key: string): void => {
    const cancel = startTimer(KEY_MS, () => {
      const { content } = keys.get(key) ?? {};
      keys.delete(key);
      if (content !== undefined) onHeld(content);
    });
    keys.set(key, { content: undefined, cancel });
  };
  const tellStorm = (name: string): void => {
    const storm = storms.get(name);
    storms.delete(name);
    if (storm?.excess === undefined) return;
    onDigest(storm.excess);
    watchStorm(name, storm.tellings + 1);
  };
  const watchStorm = (name: string, tellings: number): void => {
    const cancel = startTimer(DIGEST_MS[tellings === 0 ? 0 : 1], () => tellStorm(name));
    storms.set(name, { excess: undefined, tellings, cancel });
  };
  const digest = (content: NotificationContent, share: Share): Passage => {
    const { kind, id } = content.source;
    // Further sources share one digest, as they share one ration.
    const own = `${kind}:${id}`;
    const name = storms.has(own) || storms.size < MAX_SOURCES ? own : '';
    const storm = storms.get(name);
    if (storm === undefined) {
      onDigest(excessWith(undefined, content, share));
      watchStorm(name, 0);
    } else storm.excess = excessWith(storm.excess, content, share);
    return 'digest';
  };
  return {
    /** Keeps what it does not let pass, and gives it to `onHeld` or `onDigest` when its time has come. */
    pass: (content: NotificationContent): Passage => {
      const { key } = content;
      const share = shareOf(content);
      const held = key === null ? undefined : keys.get(key);
      if (held !== undefined) {
        held.content = content;
        return 'hold';
      }
      const hasRoom = key === null || keys.size < MAX_KEYS;
      if (!share.isAlways && !(hasRoom && hasLeft(share))) return digest(content, share);
      if (key !== null && hasRoom) openKey(key);
      return 'show';
    },
    /** Drops what waits under this key. */
    forget: (key: string): void => {
      const held = keys.get(key);
      // The ten seconds go on, so that opening and closing by turns is no way around them.
      if (held !== undefined) held.content = undefined;
    },
    stop: (): void => {
      for (const key of keys.keys()) closeKey(key);
      for (const { cancel } of storms.values()) cancel();
      storms.clear();
    },
  };
}

function excessWith(
  before: Excess | undefined,
  { source, to, severity }: NotificationContent,
  { deviceName, isKnown }: Share,
): Excess {
  const counts = before?.counts ?? { info: 0, warning: 0, critical: 0 };
  const everyone = [...new Set([...(before?.to ?? []), ...to])].slice(0, MAX_RECIPIENTS);
  const [own, others] = [deviceName === null ? [] : [deviceName], before?.devices ?? []];
  const devices = namesOf(isKnown ? [...own, ...others] : [...others, ...own]);
  return { source, to: everyone, counts: { ...counts, [severity]: counts[severity] + 1 }, devices };
}

const MOST_DEVICES = 8;

function namesOf(names: readonly string[]): readonly string[] {
  return [...new Set(names)].slice(0, MOST_DEVICES);
}

/** Writes a digest. It repeats no text, because not all who get it were meant by each notification in it. */
export function digestContent(
  { source, to, counts, devices }: Excess,
  name: string,
): NotificationContent & { count: number } {
  const present = SEVERITIES.filter((severity) => counts[severity] > 0);
  const count = present.reduce((sum, severity) => sum + counts[severity], 0);
  const severity = present.at(-1) ?? 'info';
  const values = { count, name, ...counts };
  const isOne = count === 1;
  return {
    severity,
    ...(devices.length === 0
      ? worded(isOne ? 'digest_of_one' : 'digest', values)
      : worded(isOne ? 'digest_of_one_among' : 'digest_among', { ...values, devices: devices.join(', ') })),
    to,
    key: `digest:${source.kind}:${source.id}`,
    deviceId: null,
    source,
    repeatS: severity === 'critical' ? DIGEST_REPEAT_S : null,
    count,
  };
}

const DIGEST_REPEAT_S = 3_600;

/** Both together, for the recipients of both. */
export function addExcess(before: Excess, after: Excess): Excess {
  const { info, warning, critical } = before.counts;
  const counts = {
    info: info + after.counts.info,
    warning: warning + after.counts.warning,
    critical: critical + after.counts.critical,
  };
  const to = [...new Set([...before.to, ...after.to])].slice(0, MAX_RECIPIENTS);
  return { source: after.source, to, counts, devices: namesOf([...before.devices, ...after.devices]) };
}
