import type { Runtime } from '#base/time/runtime.ts';
import { untilAborted, waitMs } from '#base/time/timer.ts';
import { createTurnQueue, type TurnQueue } from '#base/turn-queue.ts';
import { type Bridge, bridgeFault } from '#integrations/hue/clip/bridge.ts';
import { readEvents, type Resource } from '#integrations/hue/clip/clip-message.ts';
import { resourcesInAnswer } from '#integrations/hue/clip/resource-slices.ts';
import { collectResources, isStructural } from '#integrations/hue/resources/inventory.ts';
import { PeerFault } from '#integrations/peer/peer-fault.ts';
import type { Pairing } from './pairing.ts';
import type { Reporting } from './reporting.ts';

export type Session = ReturnType<typeof createSession>;

type SessionDeps = Pick<Runtime, 'clock' | 'startTimer'> & {
  readonly bridge: Pick<Bridge, 'read' | 'events'>;
  readonly reporting: Reporting;
  readonly pairing: Pick<Pairing, 'onEvent' | 'onInventory'>;
  /** The bridge's id as of the set-up. */
  readonly bridgeId: string | null;
  /** Called once all is read: devices can be commanded from now on. */
  readonly onUp: () => void;
  readonly signal: AbortSignal;
};

/** The stream is silent while nothing changes, so only a reading tells a quiet bridge from a lost one. */
const WATCH_MS = 30_000;
/** The bridge gathers changes for a second; what has not come after this time will not come. */
const REPORT_WITHIN_MS = 2_500;
/** Commands to several lamps need only one reading. */
const GATHER_MS = 150;
/** Adding one lamp makes a dozen events. */
const READ_AGAIN_MS = 1_000;

export function createSession(deps: SessionDeps) {
  const { reporting, clock, startTimer } = deps;
  const ending = new AbortController();
  const { signal } = ending;
  // Readings and events one after the other: an older reading never overwrites a newer event.
  const inTurn = createTurnQueue();
  let lastEventMs = Number.NEGATIVE_INFINITY;
  let failure: Error | undefined;
  let isEnded = false;
  let isUp = false;

  const end = (cause?: Error): void => {
    failure ??= cause;
    isEnded = true;
    ending.abort();
  };
  const { readAll, readLights } = createReadings(deps, signal);
  const readings = createTimedReadings({
    startTimer,
    inTurn,
    signal,
    onFailure: (cause) => end(cause as Error),
  });
  const checkLights = async (): Promise<void> => {
    const beganMs = clock.monotonicMs();
    if (!(await readLights(beganMs))) return;
    // The events of these changes may be on their way.
    void waitMs(REPORT_WITHIN_MS, startTimer, signal).then(() => {
      if (!signal.aborted && lastEventMs < beganMs) end(bridgeFault('BRIDGE_SILENT'));
    });
  };
  const watch = (): void =>
    readings.after('watch', WATCH_MS, async () => {
      await checkLights();
      watch();
    });
  const checkSoon = (isNews: boolean): void =>
    readings.after(isNews ? 'check' : 'now', isNews ? REPORT_WITHIN_MS : GATHER_MS, async () => {
      if (reporting.isAwaiting()) await checkLights();
      if (reporting.isAwaiting()) checkSoon(true);
    });

  const take = (text: string): void => {
    lastEventMs = clock.monotonicMs();
    for (const { type, resources } of readEvents(text) ?? []) {
      for (const resource of resources) {
        deps.pairing.onEvent(type, resource);
        if (type === 'update') reporting.takeUpdate(resource);
        const isOther = type !== 'update' || isStructural(resource, reporting.inventory());
        if (isOther) readings.after('again', READ_AGAIN_MS, readAll);
      }
    }
  };
  const onOpen = async (): Promise<void> => {
    await inTurn(readAll);
    if (signal.aborted) return;
    isUp = true;
    deps.onUp();
    watch();
  };

  return {
    /** Ends it, as `run` then says. */
    end,
    /** Reads the lights a little later, unless their reports come; what is no news has none, so it is read at once. */
    checkSoon,
    /** Resolves when the bridge ends its stream. Rejects with PeerFault. Leaves nothing behind. */
    run: async (): Promise<void> => {
      const endWithRun = (): void => end();
      deps.signal.addEventListener('abort', endWithRun, { once: true });
      if (deps.signal.aborted) end();
      try {
        await followStream(deps.bridge, { ending, onOpen, onEvent: (text) => inTurn(async () => take(text)) });
      } catch (cause) {
        // What fails because of the end is no reason of it.
        if (!isEnded) failure = endOfStream(cause as Error, isUp);
      } finally {
        deps.signal.removeEventListener('abort', endWithRun);
        ending.abort();
        readings.stop();
        // A reading under way ends before the next session begins.
        await inTurn(async () => undefined);
      }
      if (failure !== undefined) throw failure;
    },
  };
}

type StreamListener = {
  /** Aborts when the session ends; aborted when the stream does. */
  readonly ending: AbortController;
  readonly onOpen: () => Promise<void>;
  readonly onEvent: (text: string) => Promise<void>;
};

/** Opens the stream before anything is read: a change after that is in the reading or comes as an event. */
async function followStream(bridge: Pick<Bridge, 'events'>, listener: StreamListener): Promise<void> {
  const { ending } = listener;
  const opened = new AbortController();
  const iterator = bridge.events(ending.signal, () => opened.abort())[Symbol.asyncIterator]();
  let next = iterator.next();
  let isBroken = false;
  next.catch(() => (isBroken = true)).finally(() => opened.abort());
  try {
    await untilAborted(opened.signal);
    if (!isBroken && !ending.signal.aborted) await listener.onOpen();
    for (;;) {
      const { done, value } = await next;
      if (done === true) return;
      await listener.onEvent(value.data);
      next = iterator.next();
    }
  } finally {
    ending.abort();
    // The stream has let go of its connection once it has ended.
    await Promise.allSettled([next, iterator.return?.()]);
  }
}

function createReadings({ bridge, reporting, pairing, bridgeId }: SessionDeps, signal: AbortSignal) {
  return {
    readAll: async (): Promise<void> => {
      const { add, resources } = collectResources();
      for await (const resource of resourcesInAnswer(await bridge.read('', signal))) {
        if (!add(resource)) throw bridgeFault('BAD_ANSWER', new Error('lists more resources than any bridge has'));
      }
      if (signal.aborted) return;
      refuseOtherBridge(resources, bridgeId);
      if (await reporting.takeAll(resources)) pairing.onInventory(reporting.inventory());
    },
    /** True if the lights are not as the stream has told. */
    readLights: async (beganMs: number): Promise<boolean> => {
      const lights: Resource[] = [];
      for await (const light of resourcesInAnswer(await bridge.read('/light', signal))) lights.push(light);
      return !signal.aborted && reporting.takeLights(lights, beganMs);
    },
  };
}

type TimedReadingsDeps = Pick<SessionDeps, 'startTimer' | 'signal'> & {
  readonly inTurn: TurnQueue;
  readonly onFailure: (cause: unknown) => void;
};

/** Readings at a later time, at most one of each name. */
function createTimedReadings({ startTimer, signal, inTurn, onFailure }: TimedReadingsDeps) {
  const timers = new Map<string, () => void>();
  return {
    /** The task may ask for its next time. */
    after: (name: 'watch' | 'check' | 'now' | 'again', ms: number, task: () => Promise<void>): void => {
      if (signal.aborted || timers.has(name)) return;
      const run = (): void => {
        timers.delete(name);
        inTurn(async () => (signal.aborted ? undefined : task())).catch(onFailure);
      };
      timers.set(name, startTimer(ms, run));
    },
    stop: (): void => {
      for (const stopTimer of timers.values()) stopTimer();
    },
  };
}

/** A stream that breaks after it has worked has ended, as one that the bridge ends. */
function endOfStream(cause: Error, isUp: boolean): Error | undefined {
  return isUp && cause instanceof PeerFault && cause.code === 'BRIDGE_UNREACHABLE' ? undefined : cause;
}

function refuseOtherBridge(found: ReadonlyMap<string, Resource>, bridgeId: string | null): void {
  for (const { type, bridge_id: id } of found.values()) {
    if (type !== 'bridge' || typeof id !== 'string') continue;
    if (bridgeId !== null && id.toLowerCase() !== bridgeId) throw bridgeFault('BRIDGE_REPLACED');
  }
}
