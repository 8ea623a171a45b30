import type { Runtime } from '#base/time/runtime.ts';
import { repeat } from '#base/time/repeat.ts';
import type { LocalTime } from './local-time.ts';
import { localAsks } from './local-time.ts';
import type { MatterNode } from './matter-node.ts';
import type { Questions } from './questions.ts';

export type TimeKeeper = ReturnType<typeof createTimeKeeper>;

type TimeKeeperDeps = Pick<Runtime, 'startTimer' | 'log'> & {
  readonly nodes: {
    readonly online: () => readonly string[];
    readonly present: (nodeId: string) => MatterNode | undefined;
  };
  readonly questions: Pick<Questions, 'ask'>;
  readonly local: () => LocalTime;
  readonly followClock: (onChange: () => void) => () => void;
};

const LOOK_EVERY_MS = 60_000;
const DAY_MS = 86_400_000;

export function createTimeKeeper(deps: TimeKeeperDeps) {
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
  /** By the numbers of devices: the day and place that each heard of last. */
  const told = new Map<string, string>();
  const lookOf = (): string => {
    const { nowMs, zone, language } = local();
    return JSON.stringify([zone.name, language, nowMs === null ? null : Math.floor(nowMs / DAY_MS)]);
  };
  const tell = (nodeId: string): void => {
    told.set(nodeId, lookOf());
    tellOne(nodeId).catch((cause: unknown) => log.debug('a Matter device was not told the time', { cause }));
  };
  const tellAll = (): void => nodes.online().forEach(tell);
  return {
    /** It answers, or answers again. */
    tell,
    /** It is awake: it hears what it has slept through, and nothing where that is the same. */
    remind: (nodeId: string): void => {
      if (told.get(nodeId) !== lookOf()) tell(nodeId);
    },
    /** Tells all of them when the clock, the zone or the language of the hub changes, and once a day. Returns its end. */
    begin: (): (() => void) => {
      let seen = lookOf();
      const stopFollowing = followClock(() => {
        told.clear();
        tellAll();
      });
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
