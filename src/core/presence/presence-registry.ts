import type { Log } from '#base/log.ts';
import { type HubClock, hubTimeShiftMs } from '#base/time/hub-clock.ts';
import type { StartTimer } from '#base/time/timer.ts';
import type { TurnQueue } from '#base/turn-queue.ts';
import type { Device, DeviceId } from '#core/device/device.ts';
import type { HomeEvent } from '#core/event/event.ts';
import { type KeyedStore, openKeyedRecords } from '#core/keyed-records.ts';
import type { ChangeGiven } from '#core/person/authorized-change.ts';
import type { User, UserId } from '#core/person/user.ts';
import {
  type Presence,
  type PresenceEvidence,
  type PresenceSource,
  type PresenceWord,
  unknownPresence,
  withState,
} from './presence.ts';

/** Who is at home. */
export type PresenceRegistry = {
  readonly presenceOf: (user: UserId) => Presence;
  /** Somebody says where they are: `home` counts at once, `away` after the person's time without contradiction. */
  readonly tell: (user: UserId, state: 'home' | 'away', given?: ChangeGiven) => Promise<Presence>;
  readonly change: (user: UserId, change: PresenceChange, given?: ChangeGiven) => Promise<Presence>;
  /** Takes each event of the home in. Work only for devices that are somebody's source. */
  readonly notice: (event: HomeEvent) => void;
  readonly stop: () => void;
};

export type PresenceChange = Partial<Pick<Presence, 'awayAfterS' | 'sources'>>;

export type PresenceRegistryDeps = {
  readonly store: KeyedStore<Presence>;
  readonly turn: TurnQueue;
  readonly hubClock: Pick<HubClock, 'nowMs' | 'epoch' | 'nowInEpochMs'>;
  readonly startTimer: StartTimer;
  readonly findUser: (id: UserId) => User | undefined;
  readonly findDevice: (id: DeviceId) => Device | undefined;
  readonly emit: (event: HomeEvent) => void;
  readonly log: Log;
};

/** As many as there can be people, and those who were removed since the last start. */
const MAX_RECORDS = 10_000;

/** What a source says at the moment. `quiet`: a sensor of motion sees nobody, which is no word for `away`. */
type Saying = 'home' | 'away' | 'quiet' | undefined;

/** What will be believed unless something contradicts in time. */
type Doubt = { readonly to: 'away' | 'unknown'; readonly stop: () => void };

/**
 * Reads what was known. Each person is at home as soon as one source says so, and away only after their time in which
 * no source said the opposite. A state that rests on devices of which nothing is heard any more becomes unknown after
 * the same time. Only what was told and changes of a state are written, so a restless sensor costs the card nothing.
 */
export async function openPresenceRegistry(deps: PresenceRegistryDeps): Promise<PresenceRegistry> {
  const { hubClock, findDevice, emit, log } = deps;
  const records = await openKeyedRecords({ ...deps, noun: 'person', maxCount: MAX_RECORDS });
  const sayings = new Map<string, Saying>();
  const doubts = new Map<UserId, Doubt>();
  const usersOf = new Map<DeviceId, Set<UserId>>();
  let isStopped = false;

  const presenceOf = (user: UserId): Presence => records.find(user) ?? unknownPresence(user);
  const sayingsOf = (user: UserId): readonly Saying[] =>
    presenceOf(user).sources.map((source) => sayings.get(nameOf(user, source)));
  const isSeen = (user: UserId): boolean => sayingsOf(user).includes('home');
  const wordNow = (state: 'home' | 'away', by: PresenceEvidence): PresenceWord => {
    const epoch = hubClock.epoch();
    return { state, by, epoch, atMs: hubClock.nowInEpochMs(epoch) ?? hubClock.nowMs() };
  };
  const settle = (user: UserId): void => {
    doubts.get(user)?.stop();
    doubts.delete(user);
  };
  const save = async (user: UserId, change: (old: Presence) => Presence, given?: ChangeGiven): Promise<Presence> => {
    const person = deps.findUser(user);
    if (records.find(user) === undefined && person !== undefined) {
      given?.authorize?.();
      await records.add(unknownPresence(user)).catch((cause: unknown) => {
        // Another change was first.
        if (records.find(user) === undefined) throw cause;
      });
    }
    let old: Presence | undefined;
    const presence = await records.change(user, (present) => change((old = present)), given);
    const isNews = presence.revision !== old?.revision;
    if (isNews && person !== undefined) emit({ type: 'presence.changed', user: person, presence });
    return presence;
  };
  const attempt = (user: UserId, change: (old: Presence) => Presence): void => {
    if (deps.findUser(user) === undefined) return;
    save(user, change).catch((cause: unknown) => log.error('a presence cannot be saved', { cause }));
  };

  const doubt = (user: UserId, to: Doubt['to'], how: { readonly by: PresenceEvidence | null; readonly ms: number }) => {
    if (isStopped || doubts.get(user)?.to === to) return;
    settle(user);
    const believe = (): void => {
      doubts.delete(user);
      if (isSeen(user)) return;
      attempt(user, (old) => {
        const changed = withState(old, to, { evidence: to === 'away' ? how.by : null, nowMs: hubClock.nowMs() });
        return changed === old ? old : { ...changed, word: to === 'away' ? wordNow('away', how.by ?? 'told') : null };
      });
    };
    doubts.set(user, { to, stop: deps.startTimer(Math.max(0, how.ms), believe) });
  };
  const graceMs = (user: UserId): number => presenceOf(user).awayAfterS * 1000;
  const isHome = (user: UserId, by: PresenceEvidence): void => {
    settle(user);
    const { state, word } = presenceOf(user);
    if (state === 'home' && word?.state !== 'away') return;
    attempt(user, (old) => ({
      ...withState(old, 'home', { evidence: by, nowMs: hubClock.nowMs() }),
      word: wordNow('home', by),
    }));
  };
  /** One source of the person says something else than before. */
  const hear = (user: UserId, now: Saying): void => {
    if (now === 'home') return isHome(user, 'device');
    if (isSeen(user)) return;
    const { state, evidence, word } = presenceOf(user);
    if (now === 'away' || word?.state === 'away') {
      const by = now === 'away' ? 'device' : (word?.by ?? 'device');
      if (state !== 'away') doubt(user, 'away', { by, ms: graceMs(user) });
    } else if (now === undefined && evidence === 'device' && sayingsOf(user).every((one) => one === undefined)) {
      doubt(user, 'unknown', { by: null, ms: graceMs(user) });
    }
  };
  const look = (user: UserId, source: PresenceSource): void => {
    const now = sayingOf(findDevice(source.deviceId), source.key);
    const name = nameOf(user, source);
    const isSame = sayings.get(name) === now;
    sayings.set(name, now);
    if (!isSame) hear(user, now);
  };
  const lookAtAll = (user: UserId): void => presenceOf(user).sources.forEach((source) => look(user, source));
  const follow = (user: UserId, sources: readonly PresenceSource[]): void => {
    for (const users of usersOf.values()) users.delete(user);
    for (const { deviceId } of sources) usersOf.set(deviceId, (usersOf.get(deviceId) ?? new Set()).add(user));
  };

  for (const { key, sources, state, evidence, word } of records.all()) {
    const user = key as UserId;
    follow(user, sources);
    if (word?.state === 'away' && state !== 'away') {
      const agoMs = hubClock.nowMs() - word.atMs - hubTimeShiftMs(hubClock, word.epoch);
      doubt(user, 'away', { by: word.by, ms: graceMs(user) - agoMs });
    } else if (evidence === 'device') doubt(user, 'unknown', { by: null, ms: graceMs(user) });
    lookAtAll(user);
  }
  return {
    presenceOf,
    tell: async (user, state, given) => {
      const word = wordNow(state, 'told');
      const presence = await save(
        user,
        (old) => {
          const nowMs = hubClock.nowMs();
          return { ...(state === 'home' ? withState(old, 'home', { evidence: 'told', nowMs }) : old), word };
        },
        given,
      );
      if (state === 'home') settle(user);
      else if (presence.state !== 'away' && !isSeen(user)) doubt(user, 'away', { by: 'told', ms: graceMs(user) });
      return presence;
    },
    change: async (user, change, given) => {
      const presence = await save(user, (old) => ({ ...old, ...change, revision: old.revision + 1 }), given);
      follow(user, presence.sources);
      lookAtAll(user);
      return presence;
    },
    notice: (event) => {
      const isOfSource =
        event.type === 'feature.changed' || event.type === 'availability.changed' || event.type === 'device.removed';
      if (!isOfSource) return;
      for (const user of usersOf.get(event.device.id) ?? []) {
        for (const source of presenceOf(user).sources) if (source.deviceId === event.device.id) look(user, source);
      }
    },
    stop: () => {
      isStopped = true;
      for (const user of [...doubts.keys()]) settle(user);
    },
  };
}

/** Only what a device confirms itself is a word, and only while it can be reached. */
function sayingOf(device: Device | undefined, key: string): Saying {
  const state = device?.states.get(key);
  if (state?.quality !== 'confirmed' || device?.availability.state === 'offline') return undefined;
  if (typeof state.value !== 'boolean') return undefined;
  if (state.value) return 'home';
  const feature = device?.features.find((one) => one.key === key);
  return feature?.capability === 'presence' ? 'away' : 'quiet';
}

function nameOf(user: UserId, { deviceId, key }: PresenceSource): string {
  return `${user} ${deviceId}/${key}`;
}
