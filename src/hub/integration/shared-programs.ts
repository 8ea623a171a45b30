import type { Log } from '#base/log.ts';
import type { Runtime } from '#base/time/runtime.ts';
import { createRetryDelays } from '#base/time/retry.ts';
import { untilAborted, waitMs } from '#base/time/timer.ts';
import type { JoinProgram, ProgramLife, ProgramPart } from '#integrations/ports.ts';
import { createProgramWatch, type Program, type ProgramWord, type StartProgram } from '#hub/program-watch.ts';

type SharedProgramsDeps = Pick<Runtime, 'startTimer' | 'clock' | 'random' | 'log'> & {
  readonly startProgram: StartProgram;
};

const DELAYS = { minMs: 1_000, maxMs: 60_000 };
/** A program that lived for this long had recovered. */
const RECOVERED_MS = 120_000;
const MOST_DEATHS = 5;
/** After so many it tries less often, but for ever: nobody may look at the hub for years. */
const LONG_DELAYS = { minMs: 300_000, maxMs: 3_600_000 };
/** The frame waits two seconds for the end of a run: a process that nobody needs any more is killed before. */
const LAST_STOP_WITHIN_MS = 1_500;
/** A program with which other parts speak may take its time. */
const STOP_WITHIN_MS = 20_000;
const MOST_LOGGED = 100;

/** Programs beside the hub, each with one process, which starts with the first part and ends with the last. */
export function createSharedPrograms(deps: SharedProgramsDeps): JoinProgram {
  const hosts = new Map<string, Host>();
  return (name, part) => {
    const host = hosts.get(name) ?? createHost(name, deps);
    hosts.set(name, host);
    return joinHost(host, part);
  };
}

/** A part that runs, until it has ended. */
type Seat = {
  readonly name: string;
  readonly begin: () => Promise<unknown>;
  readonly hear: (message: unknown, answer: (message: unknown) => void) => void;
  readonly onDown: (why: string, isOften: boolean) => void;
  readonly onFailure: (cause: unknown) => void;
  /** It is another object for each begin, and missing where it has not begun. */
  turn: { isSaid: boolean } | undefined;
  isLeaving: boolean;
  onEnded: () => void;
  /** Its end, while that is under way: a second call waits for the same. */
  ending: Promise<void> | undefined;
};

type Host = {
  readonly enter: (seat: Seat) => void;
  readonly leave: (seat: Seat) => Promise<void>;
  readonly renew: (seat: Seat) => Promise<void>;
  readonly send: (seat: Seat, message: unknown) => boolean;
};

/** The hub and its programs are always of the same version: what comes from there has its form. */
function joinHost<To, From>(host: Host, part: ProgramPart<To, From>): ProgramLife<To> {
  let own: Seat | undefined;
  return {
    send: (message) => own !== undefined && host.send(own, message),
    renew: () => {
      if (own !== undefined) host.renew(own).catch(own.onFailure);
    },
    run: async (signal) => {
      if (signal.aborted) return;
      const over = new AbortController();
      let failure: { readonly cause: unknown } | undefined;
      const seat: Seat = {
        name: part.name,
        begin: part.begin,
        hear: (message, answer) => part.onMessage(message as From, answer),
        onDown: part.onDown,
        onFailure: (cause) => {
          failure ??= { cause };
          over.abort();
        },
        turn: undefined,
        isLeaving: false,
        onEnded: () => undefined,
        ending: undefined,
      };
      own = seat;
      host.enter(seat);
      await untilAborted(AbortSignal.any([signal, over.signal]));
      await host.leave(seat);
      if (own === seat) own = undefined;
      if (failure !== undefined) throw failure.cause;
    },
  };
}

/** The process at the moment. */
type Now = {
  program: Program | undefined;
  /** The hub itself has ended the last one. */
  isExpected: boolean;
};

function createHost(name: string, deps: SharedProgramsDeps): Host {
  const log = deps.log.part(name);
  const seats = new Map<string, Seat>();
  const now: Now = { program: undefined, isExpected: false };
  const staying = (): Seat[] => [...seats.values()].filter(({ isLeaving }) => !isLeaving);
  const hear = createHearing({ now, seats, log });
  const start = createProgramWatch(deps.startProgram, deps.startTimer);

  const runOnce = async (): Promise<string> => {
    now.isExpected = false;
    const own = start(name, (said) => {
      if (now.program === own) hear(said);
    });
    now.program = own;
    for (const seat of staying()) begin(now, seat);
    const why = await own.ended;
    now.program = undefined;
    return why;
  };
  const life = createLife({ ...deps, log, staying, runOnce, isExpected: () => now.isExpected });
  const endPart = async (seat: Seat): Promise<void> => {
    const isShared = staying().some((other) => other !== seat);
    const withinMs = isShared ? STOP_WITHIN_MS : LAST_STOP_WITHIN_MS;
    seat.ending ??= endSeat(now, seat, { ...deps, log, withinMs });
    await seat.ending;
    seat.ending = undefined;
  };
  return {
    enter: (seat) => {
      seats.set(seat.name, seat);
      if (now.program === undefined) life.wake();
      else begin(now, seat);
    },
    leave: async (seat) => {
      seat.isLeaving = true;
      const own = now.program;
      await endPart(seat);
      if (seats.get(seat.name) === seat) seats.delete(seat.name);
      if (seats.size > 0) return;
      if (now.program === own) end(now);
      life.stopWaiting();
      await own?.ended;
    },
    renew: async (seat) => {
      await endPart(seat);
      if (now.program !== undefined && seat.turn === undefined && !seat.isLeaving) begin(now, seat);
    },
    send: (seat, message) => {
      const isBegun = now.program !== undefined && seat.turn?.isSaid === true;
      if (isBegun) now.program?.send({ part: seat.name, message });
      return isBegun;
    },
  };
}

/** Brings what a program says to its part. */
function createHearing({ now, seats, log }: { now: Now; seats: ReadonlyMap<string, Seat>; log: Log }) {
  const noteFault = createFaultNote(log);
  return (said: ProgramWord): void => {
    if ('fault' in said) return noteFault(said.fault);
    const seat = seats.get(said.part);
    if (seat?.turn === undefined) return;
    const { turn } = seat;
    if ('isEnded' in said) return seat.onEnded();
    // An answer that comes late is for no part that has begun anew.
    return seat.hear(said.message, (message) => {
      if (seat.turn === turn) now.program?.send({ part: seat.name, message });
    });
  };
}

function begin(now: Now, seat: Seat): void {
  const turn = { isSaid: false };
  seat.turn = turn;
  const say = (message: unknown): void => {
    if (seat.turn !== turn || seat.isLeaving) return;
    turn.isSaid = true;
    now.program?.send({ part: seat.name, message });
  };
  seat.begin().then(say).catch(seat.onFailure);
}

function end(now: Now): void {
  now.isExpected = true;
  now.program?.kill();
  now.program = undefined;
}

type EndDeps = Pick<SharedProgramsDeps, 'startTimer' | 'log'> & { readonly withinMs: number };

/** Tells a part to end. Resolves once it has, or the program with it. */
async function endSeat(now: Now, seat: Seat, { startTimer, log, withinMs }: EndDeps): Promise<void> {
  const { turn } = seat;
  const own = now.program;
  if (own !== undefined && turn?.isSaid === true) {
    const ended = new Promise<void>((resolve) => (seat.onEnded = resolve));
    own.send({ part: seat.name, isEnd: true });
    const stopTimer = startTimer(withinMs, () => {
      log.warn('a part of the program does not end, so all of it begins anew', { part: seat.name });
      seat.turn = undefined;
      if (now.program === own) end(now);
    });
    await Promise.race([ended, own.ended]);
    stopTimer();
  }
  if (seat.turn === turn) seat.turn = undefined;
}

type LifeDeps = Pick<SharedProgramsDeps, 'startTimer' | 'clock' | 'random' | 'log'> & {
  readonly staying: () => Seat[];
  readonly runOnce: () => Promise<string>;
  readonly isExpected: () => boolean;
};

/** Keeps the program running while a part stays. */
function createLife({ startTimer, clock, random, log, staying, runOnce, isExpected }: LifeDeps) {
  const delays = createRetryDelays(DELAYS, random);
  const longDelays = createRetryDelays(LONG_DELAYS, random);
  let deaths = 0;
  let isAlive = false;
  let waiting = new AbortController();

  const forget = (): void => {
    deaths = 0;
    delays.reset();
    longDelays.reset();
  };
  const noteDeath = async (why: string, livedMs: number): Promise<void> => {
    if (livedMs > RECOVERED_MS) forget();
    deaths += 1;
    const isOften = deaths >= MOST_DEATHS;
    const restartInMs = (isOften ? longDelays : delays).nextMs();
    log.error('the program ended', { why, deaths, restart_in_ms: restartInMs });
    for (const seat of staying()) seat.onDown(why, isOften);
    await waitMs(restartInMs, startTimer, waiting.signal);
  };
  const live = async (): Promise<void> => {
    while (staying().length > 0) {
      waiting = new AbortController();
      const startedMs = clock.monotonicMs();
      const why = await runOnce();
      const begun = staying().filter(({ turn }) => turn !== undefined);
      for (const seat of staying()) seat.turn = undefined;
      if (!isExpected()) await noteDeath(why, clock.monotonicMs() - startedMs);
      else for (const seat of begun) seat.onDown(why, false);
    }
    isAlive = false;
  };
  return {
    /** A part wants the program now: it has not tried with that one. */
    wake: () => {
      forget();
      waiting.abort();
      if (isAlive) return;
      isAlive = true;
      live().catch((cause: unknown) => {
        isAlive = false;
        for (const seat of staying()) seat.onFailure(cause);
      });
    },
    stopWaiting: () => waiting.abort(),
  };
}

/** Logs each text once, and not all that a program may think of. */
function createFaultNote(log: Log): (reason: string) => void {
  const logged = new Set<string>();
  return (reason) => {
    if (logged.has(reason) || logged.size >= MOST_LOGGED) return;
    logged.add(reason);
    log.warn('a task of the program failed', { reason });
  };
}
