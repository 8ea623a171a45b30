import { HubError } from '#base/hub-error.ts';
import type { Log } from '#base/log.ts';
import type { JsonValue } from '#base/json.ts';
import type { Runtime } from '#base/time/runtime.ts';
import type { Definition } from '#core/automation/document/definition.ts';
import {
  type Replayed,
  type Simulation,
  SIMULATION_LIMITS,
  type SimulationWorld,
  type TimeWindow,
} from './simulation.ts';
import type { UsedSeries } from '#core/automation-replay/recorded/used-series.ts';

/** All references of a request were found. */
export type SimulationRequest = {
  readonly automation: Replayed;
  readonly compareTo: Replayed | null;
  /** Whether its kept runs are those of this automation. */
  readonly isKnown: boolean;
  readonly window: TimeWindow;
  readonly world: SimulationWorld;
  readonly inputs: ReadonlyMap<string, JsonValue>;
  /** The hub counts as on in the whole window, also before it was there. */
  readonly asIfOn: boolean;
};

/** A simulation that somebody asked for. */
export type SimulationEntry = {
  readonly id: string;
  /** The person who asked for it: nobody else reads it. */
  readonly owner: string;
  readonly request: SimulationRequest;
  state:
    | { readonly status: 'running' }
    | { readonly status: 'done'; readonly simulation: Simulation }
    | { readonly status: 'failed'; readonly error: HubError };
  /** Never rejects. */
  readonly ended: Promise<void>;
};

export type Simulations = {
  /** What of the past these definitions look at. */
  readonly usedBy: (definitions: readonly Definition[]) => UsedSeries;
  /** Throws HubError OVERLOADED while too many wait. */
  readonly begin: (owner: string, request: SimulationRequest) => SimulationEntry;
  readonly find: (owner: string, id: string) => SimulationEntry | undefined;
  /** For the hub itself; `undefined` where nothing can be said, or it has no time. */
  readonly replay: (automation: Replayed, window: TimeWindow) => Promise<Simulation | undefined>;
  /** Ends it, or forgets what came of it. False if there is none. */
  readonly cancel: (owner: string, id: string) => boolean;
  readonly stop: () => void;
};

type SimulationsDeps = Pick<Runtime, 'startTimer' | 'log'> & {
  readonly usedBy: Simulations['usedBy'];
  /** Rejects with the reason of the signal once that is aborted. */
  readonly simulate: (request: SimulationRequest, signal: AbortSignal) => Promise<Simulation>;
  readonly newId: () => string;
};

const AT_ONCE = 2;
const QUEUE = 4;
/** One owner has this many places at most, so that nobody takes them all. */
const OF_ONE = 4;
/** Each may have some megabytes. */
const KEPT = 6;
const KEPT_MS = 300_000;
/** No id of a person. */
const HUB = 'hub';

type Kept = { readonly entry: SimulationEntry; readonly end: AbortController; stopTimer: (() => void) | undefined };

/** Two at a time; the others wait for their turn. What comes of them stays for five minutes. */
export function createSimulations({ usedBy, simulate, newId, startTimer, log }: SimulationsDeps): Simulations {
  const all = new Map<string, Kept>();
  const waiting: (() => void)[] = [];
  /** Whose are those that run or wait, also where they were cancelled. */
  const places: string[] = [];
  let running = 0;

  const turn = async (): Promise<void> => {
    if (running < AT_ONCE) running += 1;
    // The one that ends gives its place away.
    else await new Promise<void>((resolve) => waiting.push(resolve));
  };
  const forget = (id: string): void => {
    all.get(id)?.stopTimer?.();
    all.delete(id);
  };
  const work = async (kept: Kept): Promise<void> => {
    const { entry, end } = kept;
    places.push(entry.owner);
    await turn();
    try {
      end.signal.throwIfAborted();
      entry.state = { status: 'done', simulation: await simulate(entry.request, end.signal) };
    } catch (cause) {
      entry.state = { status: 'failed', error: failureOf(cause, end.signal, log) };
    } finally {
      places.splice(places.indexOf(entry.owner), 1);
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
    if (!all.has(entry.id)) return;
    kept.stopTimer = startTimer(KEPT_MS, () => forget(entry.id));
    for (const id of tooMany([...all.values()])) forget(id);
  };
  const mine = (owner: string, id: string): Kept | undefined => {
    const kept = all.get(id);
    return kept?.entry.owner === owner ? kept : undefined;
  };
  const isFull = (owner: string): boolean =>
    (running >= AT_ONCE && waiting.length >= QUEUE) || places.filter((one) => one === owner).length >= OF_ONE;
  const begin: Simulations['begin'] = (owner, request) => {
    if (isFull(owner)) throw overloaded();
    let tellEnd = (): void => undefined;
    const ended = new Promise<void>((resolve) => {
      tellEnd = resolve;
    });
    const entry: SimulationEntry = { id: newId(), owner, request, state: { status: 'running' }, ended };
    const kept: Kept = { entry, end: new AbortController(), stopTimer: undefined };
    all.set(entry.id, kept);
    void work(kept).then(tellEnd);
    return entry;
  };
  return {
    usedBy,
    begin,
    replay: async (automation, window) => {
      const isLarge = usedBy([automation.definition]).own.size > SIMULATION_LIMITS.series;
      if (isLarge || isFull(HUB)) return undefined;
      const nothing = { compareTo: null, isKnown: false, inputs: new Map(), world: 'recorded', asIfOn: false } as const;
      const entry = begin(HUB, { automation, window, ...nothing });
      await entry.ended;
      forget(entry.id);
      return entry.state.status === 'done' ? entry.state.simulation : undefined;
    },
    find: (owner, id) => mine(owner, id)?.entry,
    cancel: (owner, id) => {
      const kept = mine(owner, id);
      if (kept === undefined) return false;
      forget(id);
      kept.end.abort(CANCELLED);
      return true;
    },
    stop: () => {
      for (const { entry, end } of all.values()) {
        forget(entry.id);
        end.abort(CANCELLED);
      }
    },
  };
}

/** The oldest of the person with the most results: nobody pushes out what others asked for. */
function tooMany(all: readonly Kept[]): readonly string[] {
  const ended = all.map(({ entry }) => entry).filter(({ state }) => state.status !== 'running');
  const countOf = (name: string): number => ended.filter(({ owner }) => owner === name).length;
  const most = Math.max(...ended.map(({ owner }) => countOf(owner)));
  return ended.length <= KEPT
    ? []
    : ended
        .filter(({ owner }) => countOf(owner) === most)
        .slice(0, 1)
        .map(({ id }) => id);
}

function overloaded(): HubError {
  return new HubError('OVERLOADED', 'The hub is simulating as much as it can. Try again soon.', { retryAfterS: 5 });
}

const CANCELLED = new HubError('NOT_FOUND', 'The simulation was cancelled.');

function failureOf(cause: unknown, signal: AbortSignal, log: Log): HubError {
  if (cause instanceof HubError) return cause;
  if (!signal.aborted) log.error('a simulation failed', { cause });
  return new HubError('INTERNAL_ERROR', 'The simulation failed.', { cause });
}
