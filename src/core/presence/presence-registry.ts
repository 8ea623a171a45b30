import { HubError } from '#base/hub-error.ts';
import type { Runtime } from '#base/time/runtime.ts';
import { type HubClock, hubTimeShiftMs } from '#base/time/hub-clock.ts';
import type { StartTimer } from '#base/time/timer.ts';
import type { TurnQueue } from '#base/turn-queue.ts';
import type { Device, DeviceId } from '#core/device/device.ts';
import { type Cause, changeCause, DIRECT, ledBy } from '#core/cause/cause.ts';
import type { Issuer } from '#core/cause/issuer.ts';
import type { HomeEvent } from '#core/event/event.ts';
import { type KeyedStore, openKeyedRecords } from '#core/records/keyed-records.ts';
import type { ChangeTerms } from '#core/records/change-terms.ts';
import type { User, UserId } from '#core/person/user.ts';
import { createSources, type Saying, type Sources } from './presence-sources.ts';
import {
  type Presence,
  type PresenceEvidence,
  type PresenceState,
  type PresenceWord,
  unknownPresence,
  withState,
} from './presence.ts';

export type PresenceRegistry = Awaited<ReturnType<typeof openPresenceRegistry>>;

/** Who says it, and what led to that; neither: a hand. */
type Told = { readonly by?: Issuer; readonly cause?: Cause | null };

type PresenceChange = Partial<Pick<Presence, 'awayAfterS' | 'sources'>>;

export type PresenceRegistryDeps = Pick<Runtime, 'startTimer' | 'log'> & {
  readonly store: KeyedStore<Presence>;
  readonly turn: TurnQueue;
  readonly hubClock: Pick<HubClock, 'nowMs' | 'epoch' | 'nowInEpochMs'>;
  readonly findUser: (id: UserId) => User | undefined;
  readonly findDevice: (id: DeviceId) => Device | undefined;
  readonly emit: (event: HomeEvent) => void;
};

/** As many as there can be people, and those who were removed since the last start. */
const MAX_RECORDS = 10_000;
/** Until the disk may take writes again. */
const RETRY_MS = 60_000;

/** A doubt becomes the belief about a person unless something contradicts in time. */
type Doubts = ReturnType<typeof createDoubts>;

type Callers = Cause['callers'];

/** How a change of a person's record is written and told. */
type Records = Awaited<ReturnType<typeof openRecords>>;

/**
 * Reads what was known. Each person is at home as soon as one source says so, and away only after their time in which
 * no source said the opposite. A state that rests on devices of which nothing is heard any more becomes unknown after
 * the same time. Only people's own words and changes of a state are written, so a restless sensor costs the card nothing.
 */
export async function openPresenceRegistry(deps: PresenceRegistryDeps) {
  const { hubClock } = deps;
  const records = await openRecords(deps);
  const { presenceOf, save } = records;
  const doubts = createDoubts(deps.startTimer);
  const sources = createSources(deps.findDevice, presenceOf);
  const belief = createBelief({ hubClock, records, doubts, sources });

  for (const { key, state, evidence, word } of records.all()) {
    const user = key as UserId;
    sources.follow(user);
    if (word?.state === 'away' && state !== 'away') {
      const agoMs = hubClock.nowMs() - word.atMs - hubTimeShiftMs(hubClock, word.epoch);
      belief.doubt(user, 'away', { by: word.by, agoMs, callers: word.callers });
    } else if (evidence === 'device') belief.doubt(user, 'unknown');
    sources.look(user).forEach((saying) => belief.hear(user, saying));
  }
  return {
    presenceOf,
    /** Somebody says where they are: `home` counts at once, `away` after the person's time without contradiction. */
    tell: (user: UserId, state: 'home' | 'away', terms?: ChangeTerms & Told): Promise<Presence> =>
      belief.tell(user, state, terms),
    change: async (user: UserId, change: PresenceChange, terms?: ChangeTerms): Promise<Presence> => {
      const presence = await save(user, (old) => ({ ...old, ...change, revision: old.revision + 1 }), terms);
      sources.follow(user);
      sources.look(user).forEach((saying) => belief.hear(user, saying));
      return presence;
    },
    /** Takes each event of the home in. Work only for devices that are somebody's source. */
    notice: (event: HomeEvent): void => {
      const isOfSource =
        event.type === 'feature.changed' || event.type === 'availability.changed' || event.type === 'device.removed';
      if (!isOfSource) return;
      const { id } = event.device;
      const callers = event.type === 'feature.changed' ? changeCause(null, event.cause)?.callers : undefined;
      for (const user of sources.usersOf(id)) {
        for (const saying of sources.look(user, id)) belief.hear(user, saying, callers);
      }
    },
    stop: (): void => {
      doubts.stop();
      records.stop();
    },
  };
}

async function openRecords(deps: PresenceRegistryDeps) {
  const { emit, findUser, log } = deps;
  const records = await openKeyedRecords({ ...deps, noun: 'person', maxCount: MAX_RECORDS });
  const retries = new Map<UserId, () => void>();
  let isStopped = false;
  const forget = (user: UserId): void => {
    retries.get(user)?.();
    retries.delete(user);
  };
  const save = async (
    user: UserId,
    change: (old: Presence) => Presence,
    { cause, ...terms }: ChangeTerms & { readonly cause?: Cause | null } = {},
  ): Promise<Presence> => {
    forget(user);
    const person = findUser(user);
    if (records.find(user) === undefined && person !== undefined) {
      terms.authorize?.();
      await records.add(unknownPresence(user)).catch((cause: unknown) => {
        // Another change was first; or their account was removed meanwhile, which `change` says.
        if (records.find(user) === undefined && findUser(user) !== undefined) throw cause;
      });
    }
    let old: Presence | undefined;
    const presence = await records
      .change(user, (present) => change((old = present)), terms)
      .catch((cause: unknown) => {
        // Their account was removed meanwhile, and the record with it.
        if (findUser(user) === undefined) throw new HubError('NOT_FOUND', 'There is no such person.', { cause });
        throw cause;
      });
    const isNews = presence.revision !== old?.revision;
    if (isNews && person !== undefined)
      emit({ type: 'presence.changed', user: person, presence, ...(cause && { cause }) });
    return presence;
  };
  const attempt = (user: UserId, change: (old: Presence) => Presence, callers: Callers): void => {
    if (findUser(user) === undefined) return;
    save(user, change, { cause: callers === undefined ? null : { ...DIRECT, callers } }).catch((cause: unknown) => {
      if (findUser(user) === undefined || isStopped) return;
      log.error('a presence cannot be saved', { cause });
      forget(user);
      retries.set(
        user,
        deps.startTimer(RETRY_MS, () => attempt(user, change, callers)),
      );
    });
  };
  return {
    presenceOf: (user: UserId): Presence => records.find(user) ?? unknownPresence(user),
    all: records.all,
    save,
    /** The same for a change that nobody waits for: tried again until it is written, or until another one is made. */
    attempt,
    stop: (): void => {
      isStopped = true;
      for (const user of retries.keys()) forget(user);
    },
  };
}

function createDoubts(startTimer: StartTimer) {
  const doubts = new Map<UserId, { readonly to: string; readonly stop: () => void }>();
  let isStopped = false;
  const settle = (user: UserId, to?: 'unknown'): void => {
    if (to !== undefined && doubts.get(user)?.to !== to) return;
    doubts.get(user)?.stop();
    doubts.delete(user);
  };
  return {
    begin: (
      user: UserId,
      to: 'away' | 'unknown',
      { ms, end }: { readonly ms: number; readonly end: () => void },
    ): void => {
      if (isStopped || doubts.get(user)?.to === to) return;
      settle(user);
      const stop = startTimer(Math.max(0, ms), () => {
        doubts.delete(user);
        end();
      });
      doubts.set(user, { to, stop });
    },
    /** `to`: only if that is what would be believed. */
    settle,
    stop: (): void => {
      isStopped = true;
      for (const user of doubts.keys()) settle(user);
    },
  };
}

type BeliefDeps = {
  readonly hubClock: PresenceRegistryDeps['hubClock'];
  readonly records: Records;
  readonly doubts: Doubts;
  readonly sources: Sources;
};

/** Draws the conclusions from what people and devices say. */
function createBelief({ hubClock, records, doubts, sources }: BeliefDeps) {
  const { presenceOf, save, attempt } = records;
  const isSeen = (user: UserId): boolean => sources.sayings(user).includes('home');
  const wordNow = (state: 'home' | 'away', by: PresenceEvidence, callers: Callers): PresenceWord => {
    const epoch = hubClock.epoch();
    return { state, by, epoch, atMs: hubClock.nowInEpochMs(epoch) ?? hubClock.nowMs(), ...(callers && { callers }) };
  };
  const stateNow = (old: Presence, state: PresenceState, evidence: PresenceEvidence | null): Presence =>
    withState(old, state, { evidence, nowMs: hubClock.nowMs() });

  const doubt = (
    user: UserId,
    to: 'away' | 'unknown',
    {
      by = 'device',
      agoMs = 0,
      callers,
    }: { readonly by?: PresenceEvidence; readonly agoMs?: number; readonly callers?: Callers } = {},
  ): void => {
    const isAway = to === 'away';
    const end = (): void => {
      if (isSeen(user)) return;
      const believed = (old: Presence): Presence => {
        const changed = stateNow(old, to, isAway ? by : null);
        return changed === old ? old : { ...changed, word: isAway ? wordNow('away', by, callers) : null };
      };
      attempt(user, believed, callers);
    };
    doubts.begin(user, to, { ms: presenceOf(user).awayAfterS * 1000 - agoMs, end });
  };
  const believeHome = (user: UserId, callers: Callers): void => {
    doubts.settle(user);
    const { state, word } = presenceOf(user);
    if (state === 'home' && word?.state !== 'away') return;
    const home = (old: Presence): Presence => stateNow(old, 'home', 'device');
    attempt(user, (old) => ({ ...home(old), word: wordNow('home', 'device', callers) }), callers);
  };
  return {
    doubt,
    /** One source of the person says something else than before. */
    hear: (user: UserId, now: Saying, callers?: Callers): void => {
      if (now === 'home') return believeHome(user, callers);
      if (isSeen(user)) return;
      const { state, evidence, word } = presenceOf(user);
      const sayings = sources.sayings(user);
      // Another source may have said it while this one still saw them, and says it only once.
      const isSaidAway = sayings.includes('away');
      if (state !== 'away' && (isSaidAway || word?.state === 'away')) {
        // It may be the end of what kept an older word from being believed.
        const led = ledBy(ledBy(DIRECT, callers), word?.state === 'away' ? word.callers : []).callers;
        doubt(user, 'away', { by: isSaidAway ? 'device' : (word?.by ?? 'device'), callers: led });
      } else if (now !== undefined) doubts.settle(user, 'unknown');
      else if (evidence === 'device' && sayings.every((one) => one === undefined)) doubt(user, 'unknown', { callers });
    },
    tell: async (
      user: UserId,
      state: 'home' | 'away',
      { by, cause: asked = null, ...terms }: ChangeTerms & Told = {},
    ): Promise<Presence> => {
      const cause = changeCause(by ?? null, asked);
      const word = wordNow(state, 'told', cause?.callers);
      const told = (old: Presence): Presence => (state === 'home' ? stateNow(old, 'home', 'told') : old);
      const presence = await save(user, (old) => ({ ...told(old), word }), { ...terms, cause });
      if (state === 'home') {
        doubts.settle(user);
        sources.overrule(user);
      } else if (presence.state !== 'away' && !isSeen(user)) doubt(user, 'away', { by: 'told', callers: word.callers });
      return presence;
    },
  };
}
