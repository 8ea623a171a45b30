import type { Runtime } from '#base/time/runtime.ts';
import { setImmediate as turnOfOthers } from 'node:timers/promises';
import type { Clock } from '#base/time/clock.ts';
import { createWorkSlices } from '#base/work-slices.ts';
import { type Cause, type CauseCaller, DIRECT, ledBy } from '#core/cause/cause.ts';
import type { Device, DeviceDescription, DeviceId, GroupMember } from '#core/device/device.ts';
import type { DerivedValue } from '#core/device/reports/device-reports.ts';
import type { DeviceRegistry } from '#core/device/device-registry.ts';
import type { HomeEvent } from '#core/event/event.ts';
import { GROUP, isGroup, isRoomOfAll, membersOf } from '#core/device/group.ts';
import { type GroupFeature, groupFeatures } from './group-features.ts';
import { groupAvailability, groupValue } from './group-values.ts';

type Deps = Pick<Runtime, 'startTimer' | 'log'> & {
  readonly devices: Pick<DeviceRegistry, 'findDevice' | 'devicesOf' | 'describeOwn' | 'reportsOf' | 'reportDerived'>;
  readonly describe: (group: Device, members: readonly GroupMember[]) => DeviceDescription;
  readonly subscribe: (listener: (event: HomeEvent) => void) => () => void;
  readonly clock: Pick<Clock, 'monotonicMs'>;
};

/** The values of a group change at most this often: of twenty lamps that report one after the other, few are news. */
const SHOWN_EVERY_MS = 200;

type Kept = {
  readonly id: DeviceId;
  readonly externalId: string;
  features: readonly GroupFeature[];
  members: readonly DeviceId[];
  /** Features of members that changed since the last look. */
  readonly news: Map<string, News>;
  /** Who changed the group itself since then, of those whom a cause names. */
  callers: readonly CauseCaller[];
  /** Look at every value. */
  isAllNews: boolean;
  /** A member came, went or is another one now. */
  isOutdated: boolean;
  shownAtMs: number;
  stopTimer: (() => void) | undefined;
};

type News = {
  /** The last command that a change answered. */
  readonly cause: Cause | null;
  /** One of the changes answered none. */
  readonly isByHand: boolean;
  /** Who led to any of them. */
  readonly callers: readonly CauseCaller[];
};

/**
 * Keeps the values of each group, its features and its room up to date. A change of a value costs as much as the groups
 * have members of which the device is one.
 */
export function createGroupKeeper(deps: Deps) {
  const { devices } = deps;
  const groups = new Map<DeviceId, Kept>();
  const groupsOf = new Map<DeviceId, Set<Kept>>();
  const lookInTurn = createLookQueue(deps);

  const forget = (id: DeviceId): void => {
    const kept = groups.get(id);
    if (kept === undefined) return;
    kept.stopTimer?.();
    lookInTurn.remove(kept);
    groups.delete(id);
    for (const member of kept.members) {
      const others = groupsOf.get(member);
      others?.delete(kept);
      if (others?.size === 0) groupsOf.delete(member);
    }
  };
  const follow = (group: Device): void => {
    const { shownAtMs = -Infinity, news = new Map<string, News>(), callers = [] } = groups.get(group.id) ?? {};
    forget(group.id);
    const kept: Kept = {
      id: group.id,
      externalId: group.externalId,
      features: groupFeatures(membersOf(group, devices.findDevice)),
      members: (group.members ?? []).map(({ id }) => id),
      news,
      callers,
      isAllNews: true,
      isOutdated: true,
      shownAtMs,
      stopTimer: undefined,
    };
    groups.set(group.id, kept);
    for (const member of kept.members) groupsOf.set(member, (groupsOf.get(member) ?? new Set()).add(kept));
    lookSoon(kept);
  };
  const lookSoon = (kept: Kept): void => {
    if (kept.stopTimer !== undefined) return;
    // Never at once: the values of one report come one after the other.
    const waitMs = Math.max(0, kept.shownAtMs + SHOWN_EVERY_MS - deps.clock.monotonicMs());
    kept.stopTimer = deps.startTimer(waitMs, () => {
      kept.stopTimer = undefined;
      kept.shownAtMs = deps.clock.monotonicMs();
      lookInTurn.add(kept);
    });
  };
  const noteMember = (kept: Kept, event: HomeEvent): void => {
    if (event.type === 'feature.changed') {
      const { isByHand = false, callers } = kept.news.get(event.key) ?? {};
      const { cause } = event;
      const led = ledBy(ledBy(DIRECT, callers), cause?.callers).callers ?? [];
      // The newest comes last.
      kept.news.delete(event.key);
      kept.news.set(event.key, { cause, isByHand: isByHand || cause === null, callers: led });
    } else if (event.type === 'availability.changed') kept.isAllNews = true;
    else if (event.type.startsWith('device.')) kept.isOutdated = true;
    else return;
    lookSoon(kept);
  };
  for (const group of devices.devicesOf(GROUP)) follow(group);
  const unsubscribe = deps.subscribe((event) => {
    if (!('device' in event)) return;
    const { device } = event;
    if (!isGroup(device)) groupsOf.get(device.id)?.forEach((kept) => noteMember(kept, event));
    else if (event.type === 'device.removed') forget(device.id);
    else if (event.type === 'device.added' || event.type === 'device.changed') follow(device);
  });
  return {
    /** To call in the same turn after a group was changed: its next values follow from that. */
    lead: (id: DeviceId, callers: readonly CauseCaller[]): void => {
      const kept = groups.get(id);
      if (kept !== undefined) kept.callers = [...kept.callers, ...callers];
    },
    stop: (): void => {
      unsubscribe();
      for (const id of groups.keys()) forget(id);
    },
  };
}

/** Looks at the groups that are due. Between some of many and the next, other work has its turn. */
function createLookQueue(deps: Deps) {
  const { log } = deps;
  const look = createLook(deps);
  const due = new Set<Kept>();
  let isLooking = false;
  const lookAtAll = async (): Promise<void> => {
    isLooking = true;
    // All timers that are due run in one turn, before the first look.
    await turnOfOthers();
    const slices = createWorkSlices(deps.clock.monotonicMs);
    for (const kept of due) {
      due.delete(kept);
      look(kept).catch((cause: unknown) => {
        // A group that should have left its room is not forgotten: the disk may be full for now only.
        kept.isOutdated = true;
        log.error('a group could not be brought up to date', { cause });
      });
      const pause = slices.pause();
      if (pause !== undefined) await pause;
    }
    isLooking = false;
  };
  return {
    add: (group: Kept): void => {
      due.add(group);
      if (!isLooking) void lookAtAll();
    },
    remove: (group: Kept): void => void due.delete(group),
  };
}

/** Brings what a group shows up to date with its members. */
function createLook({ devices, describe }: Pick<Deps, 'devices' | 'describe'>) {
  const reports = devices.reportsOf(GROUP);
  const describeAgain = async (kept: Kept): Promise<void> => {
    kept.isOutdated = false;
    kept.isAllNews = true;
    const group = await devices.describeOwn(GROUP, kept.externalId, (present) => {
      if (present === undefined) return undefined;
      const { members = [], roomId } = present;
      // A member moved: who may see its new room need not be who may see the group.
      const isInPlace = isRoomOfAll(members, roomId, devices.findDevice);
      return { description: describe(present, members), change: isInPlace ? {} : { roomId: null } };
    });
    if (group !== undefined) kept.features = groupFeatures(membersOf(group, devices.findDevice));
  };
  return async (kept: Kept): Promise<void> => {
    if (kept.isOutdated) await describeAgain(kept);
    const group = devices.findDevice(kept.id);
    if (group === undefined) return;
    const members = membersOf(group, devices.findDevice);
    const { state, reason } = groupAvailability(members);
    reports.reportAvailability(group.externalId, state, reason);
    const values = new Map<string, DerivedValue | null>();
    for (const wanted of kept.features) {
      const news = [...wanted.from].filter((key) => kept.news.has(key));
      if (!kept.isAllNews && news.length === 0) continue;
      const value = groupValue(wanted, members);
      values.set(wanted.feature.key, value === null ? null : { ...value, cause: newestCause(kept, news) });
    }
    kept.news.clear();
    kept.callers = [];
    kept.isAllNews = false;
    devices.reportDerived(group.id, values);
  };
}

/**
 * The last command that one of these changes answers; `null` if one of them answers none. All who led to one of them are in
 * it in any case.
 */
function newestCause({ news, callers }: Pick<Kept, 'news' | 'callers'>, keys: readonly string[]): Cause | null {
  const changes = [...news].flatMap(([key, one]) => (keys.includes(key) ? [one] : []));
  const newest = changes.some(({ isByHand }) => isByHand) ? null : (changes.at(-1)?.cause ?? null);
  const led = [...changes.flatMap((one) => one.callers), ...callers];
  return led.length === 0 ? newest : ledBy(newest ?? DIRECT, led);
}
