import type { Runtime } from '#base/time/runtime.ts';
import { type HubClock, hubTimeShiftMs } from '#base/time/hub-clock.ts';
import type { TurnQueue } from '#base/turn-queue.ts';
import { type Cause, changeCause, DIRECT } from '#core/cause/cause.ts';
import type { Issuer } from '#core/cause/issuer.ts';
import type { HomeEvent } from '#core/event/event.ts';
import { type KeyedStore, openKeyedRecords } from '#core/records/keyed-records.ts';
import type { ChangeTerms } from '#core/records/change-terms.ts';
import { changeMode, HOME_MODE, MAX_MODES, type Mode, type ModeChange, type ModeEnd, setMode } from './mode.ts';

export type ModeRegistry = {
  /** By key; `home` is always there. */
  readonly modes: () => readonly Mode[];
  readonly findMode: (key: string) => Mode | undefined;
  /** When its value ends, in milliseconds of the hub's clock; `undefined` if it does not. */
  readonly endMs: (mode: Mode) => number | undefined;
  /** Throws as `KeyedRecords.add`. */
  readonly addMode: (
    mode: Pick<Mode, 'key' | 'name' | 'values' | 'valueNames' | 'value'>,
    terms?: ChangeTerms,
  ) => Promise<Mode>;
  /** Throws as `KeyedRecords.change`, and VALIDATION_FAILED. */
  readonly setMode: (key: string, wish: ModeWish, terms?: ChangeTerms) => Promise<Mode>;
  readonly changeMode: (key: string, change: ModeChange, terms?: ChangeTerms) => Promise<Mode>;
  /** Throws as `KeyedRecords.remove`; `home` is built in. */
  readonly removeMode: (key: string, terms?: ChangeTerms) => Promise<void>;
  readonly stop: () => void;
};

type ModeWish = {
  readonly value: string;
  readonly by: Issuer;
  /** Milliseconds from now; `null` for a value that holds until another is set. */
  readonly forMs: number | null;
  /** What follows; `undefined`: what was before. */
  readonly next: string | undefined;
  /** `null` or absent: `by` did it by hand, or a script did. */
  readonly cause?: Cause | null;
};

type ModeRegistryDeps = Pick<Runtime, 'startTimer' | 'log'> & {
  readonly store: KeyedStore<Mode>;
  readonly turn: TurnQueue;
  readonly hubClock: Pick<HubClock, 'nowMs' | 'epoch' | 'nowInEpochMs'>;
  readonly emit: (event: HomeEvent) => void;
};

/** The clock may be set meanwhile, so an end is looked at this often. */
const LOOK_MS = 60_000;

/** Reads the modes. A value whose time was over while the hub was off ends at once. */
export async function openModeRegistry(deps: ModeRegistryDeps): Promise<ModeRegistry> {
  const { hubClock, emit, log } = deps;
  const records = await openKeyedRecords({ ...deps, noun: 'mode', maxCount: MAX_MODES, builtIn: [HOME_MODE] });
  const msLeft = ({ epoch, atMs }: ModeEnd): number => atMs + hubTimeShiftMs(hubClock, epoch) - hubClock.nowMs();
  const endMs = ({ until }: Mode): number | undefined =>
    until === null ? undefined : hubClock.nowMs() + msLeft(until);
  const tell = (mode: Mode, isGone: boolean, cause: Cause | null = null): void =>
    emit({ type: 'mode.changed', mode, endMs: endMs(mode), isGone, ...(cause && { cause }) });
  let stopTimer = (): void => undefined;
  let isStopped = false;

  const watch = (leastMs = 1): void => {
    stopTimer();
    stopTimer = () => undefined;
    const ends = records.all().flatMap(({ until }) => (until === null ? [] : [msLeft(until)]));
    if (isStopped || ends.length === 0) return;
    stopTimer = deps.startTimer(Math.max(leastMs, Math.min(LOOK_MS, ...ends)), () => void endOver());
  };
  const save = async (
    key: string,
    change: (mode: Mode) => Mode,
    { cause = null, ...terms }: ChangeTerms & { readonly cause?: Cause | null } = {},
  ): Promise<Mode> => {
    let old: Mode | undefined;
    const mode = await records.change(key, (present) => change((old = present)), terms);
    if (mode !== old) tell(mode, false, cause);
    watch();
    return mode;
  };
  const end = ({ key, until: seen }: Mode): Promise<Mode> => {
    const cause = seen?.callers === undefined ? null : { ...DIRECT, callers: seen.callers };
    const ended = (mode: Mode): Mode =>
      mode.until === seen && seen !== null
        ? setMode(mode, { value: seen.next, by: 'until', atMs: hubClock.nowMs(), until: null })
        : mode;
    return save(key, ended, { cause });
  };
  const endOver = async (): Promise<void> => {
    let hasFailed = false;
    for (const mode of records.all()) {
      if (mode.until === null || msLeft(mode.until) > 0) continue;
      await end(mode).catch((cause: unknown) => {
        hasFailed = true;
        log.error('a mode cannot be ended', { mode: mode.key, cause });
      });
    }
    // An end that could not be written is over already: without a pause it would be tried again without end.
    watch(hasFailed ? LOOK_MS : undefined);
  };
  await endOver();
  return {
    modes: records.all,
    findMode: records.find,
    endMs,
    addMode: async (mode, terms) => {
      const added = await records.add(
        { ...mode, changedAtMs: hubClock.nowMs(), changedBy: null, until: null, revision: 1 },
        terms,
      );
      tell(added, false);
      return added;
    },
    setMode: (key, { value, by, forMs, next, cause: asked = null }, terms) => {
      const cause = changeCause(by, asked);
      const set = (mode: Mode): Mode => {
        const until = forMs === null ? null : { ...endIn(hubClock, forMs), next, callers: cause?.callers };
        return setMode(mode, { value, by, atMs: hubClock.nowMs(), until });
      };
      return save(key, set, { ...terms, cause });
    },
    changeMode: (key, change, terms) => save(key, (mode) => changeMode(mode, change), terms),
    removeMode: async (key, terms) => {
      const mode = await records.remove(key, terms);
      tell(mode, true);
      watch();
    },
    stop: () => {
      isStopped = true;
      stopTimer();
    },
  };
}

function endIn(hubClock: ModeRegistryDeps['hubClock'], forMs: number): Pick<ModeEnd, 'epoch' | 'atMs'> {
  const epoch = hubClock.epoch();
  return { epoch, atMs: (hubClock.nowInEpochMs(epoch) ?? hubClock.nowMs()) + forMs };
}
