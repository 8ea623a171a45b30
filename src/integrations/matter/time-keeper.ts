import type { Log } from '#base/log.ts';
import { repeat } from '#base/time/repeat.ts';
import type { StartTimer } from '#base/time/timer.ts';
import type { LocalTime } from './local-time.ts';
import { localAsks } from './local-time.ts';
import type { MatterNode } from './matter-node.ts';
import type { Questions } from './questions.ts';

/** Keeps the clocks and displays of devices as at home. */
export type TimeKeeper = {
  /** It answers, or answers again. */
  readonly tell: (nodeId: string) => void;
  /** Tells all of them when the clock, the zone or the language of the hub changes, and once a day. Returns its end. */
  readonly begin: () => () => void;
};

export type TimeKeeperDeps = {
  readonly nodes: {
    readonly online: () => readonly string[];
    readonly present: (nodeId: string) => MatterNode | undefined;
  };
  readonly questions: Pick<Questions, 'ask'>;
  readonly local: () => LocalTime;
  readonly followClock: (onChange: () => void) => () => void;
  readonly startTimer: StartTimer;
  readonly log: Log;
};

const LOOK_EVERY_MS = 60_000;
const DAY_MS = 86_400_000;

export function createTimeKeeper(deps: TimeKeeperDeps): TimeKeeper {
  const { nodes, questions, local, followClock, startTimer, log } = deps;
  const tellOne = async (nodeId: string): Promise<void> => {
    const node = nodes.present(nodeId);
    for (const ask of node === undefined ? [] : localAsks(node, local())) {
      const refusal = await questions.ask((seq) => ({ type: 'ask', seq, nodeId, asks: [ask] }));
      // A device with a better clock may say no.
      if (refusal !== null)
        log.debug('a Matter device does not take the time or language', { node: nodeId, ...refusal });
    }
  };
  const tell = (nodeId: string): void => {
    tellOne(nodeId).catch((cause: unknown) => log.debug('a Matter device was not told the time', { cause }));
  };
  const tellAll = (): void => nodes.online().forEach(tell);
  const lookOf = (): string => {
    const { nowMs, zone, language } = local();
    return JSON.stringify([zone.name, language, nowMs === null ? null : Math.floor(nowMs / DAY_MS)]);
  };
  return {
    tell,
    begin: () => {
      let seen = lookOf();
      const stopFollowing = followClock(tellAll);
      const stopLooking = repeat(startTimer, LOOK_EVERY_MS, () => {
        const now = lookOf();
        if (now === seen) return;
        seen = now;
        tellAll();
      });
      return () => {
        stopFollowing();
        stopLooking();
      };
    },
  };
}
