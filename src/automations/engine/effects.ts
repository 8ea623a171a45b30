import { setImmediate as turnOfOthers } from 'node:timers/promises';
import type { Log } from '#base/log.ts';
import type { Effect } from '#core/automation-run/engine.ts';
import type { AutomationRun } from '#core/automation-run/trace/trace.ts';
import type { Alarms } from './alarms.ts';
import type { CommandDesk } from './command-desk.ts';
import type { EngineAutomations, EngineReports } from './engine-ports.ts';
import type { EngineTimers } from './engine-timers.ts';
import type { HomeActs } from './home-acts.ts';
import type { PersistEffect, SavedEntries } from './saved-entries.ts';
import { because } from '#core/automation-run/trace/run-reason.ts';

export type EffectsDeps = {
  readonly timers: Pick<EngineTimers, 'arm' | 'disarm'>;
  readonly entries: Pick<SavedEntries, 'keep' | 'writeFirst'>;
  readonly desk: Pick<CommandDesk, 'give'>;
  readonly acts: Pick<HomeActs, 'act'>;
  readonly alarms: Alarms;
  readonly automations: Pick<EngineAutomations, 'suspend'>;
  readonly reports: EngineReports;
  readonly isStopped: () => boolean;
  readonly log: Log;
};

/** Runs whose records could not be written are known so long, for their last traces. */
const MAX_NOT_DURABLE = 200;
/** A change that starts thousands of runs makes as many traces: others get their turn after so many effects. */
const AT_ONCE = 100;
const NOT_DURABLE = because('not_durable');

/** Does what the reducer wants done, in its order; a promise where the rest must wait until something is on disk. */
export function createEffects(deps: EffectsDeps): (effects: readonly Effect[]) => Promise<void> | undefined {
  const { timers, entries, desk, acts, alarms, automations, reports, log } = deps;
  const notDurable = new Set<string>();
  const noteNotDurable = (effects: readonly PersistEffect[]): void => {
    for (const { key } of effects) if (key.startsWith('run/')) notDurable.add(key.slice('run/'.length));
    for (const run of [...notDurable].slice(0, -MAX_NOT_DURABLE)) notDurable.delete(run);
  };
  const told = (run: AutomationRun): AutomationRun => {
    if (!notDurable.has(run.id)) return run;
    return { ...run, reason: run.reason ?? NOT_DURABLE };
  };
  const suspend = ({ automation, code }: Extract<Effect, { kind: 'suspend' }>): void => {
    alarms.suspended(automation, code);
    automations.suspend(automation, code).catch((cause: unknown) => {
      log.error('an automation cannot be saved as suspended', { automation, cause });
    });
  };
  const doOne = (effect: Exclude<Effect, PersistEffect>): void => {
    switch (effect.kind) {
      case 'arm':
        return timers.arm(effect.timer, effect.due);
      case 'disarm':
        return timers.disarm(effect.timer);
      case 'command':
        return desk.give(effect);
      case 'trace':
        return reports.putRun(told(effect.run));
      case 'near_miss':
        return reports.putNearMiss(effect.miss);
      case 'trip':
        return alarms.tripped(effect);
      case 'untrip':
        return alarms.untripped(effect.automation);
      case 'suspend':
        return suspend(effect);
      default:
        return acts.act(effect);
    }
  };
  const carryOut = (effects: readonly Effect[], from: number): Promise<void> | undefined => {
    const later: PersistEffect[] = [];
    let waiting: Promise<void> | undefined;
    const lastCommand = effects.findLastIndex(({ kind }) => kind === 'command');
    for (let at = from; at < effects.length && waiting === undefined; at += 1) {
      const effect = effects[at];
      if (effect === undefined || deps.isStopped()) break;
      if (effect.kind !== 'persist') {
        attempt(effect);
        if (at === lastCommand) waiting = untilSent().then(() => carryOut(effects, at + 1));
        else if (at - from >= AT_ONCE) waiting = turnOfOthers().then(() => carryOut(effects, at + 1));
      } else if (effect.urgency !== 'before_effects') later.push(effect);
      else {
        const first = firstOnes(effects, at);
        waiting = entries.writeFirst(first).then((isWritten) => {
          if (!isWritten) noteNotDurable(first);
          return carryOut(effects, at + first.length);
        });
      }
    }
    if (later.length > 0) entries.keep(later);
    return waiting;
  };
  /** One that fails takes nothing from the others. */
  const attempt = (effect: Exclude<Effect, PersistEffect>): void => {
    try {
      doOne(effect);
    } catch (cause) {
      log.error('an effect of automations failed', { effect: effect.kind, cause });
    }
  };
  return (effects) => carryOut(effects, 0);
}

/** A command is on its way once the promises of this turn are settled: what tells of it need not be made before. */
function untilSent(): Promise<void> {
  return new Promise((resolve) => process.nextTick(resolve));
}

/** The effects from this place on that must be on disk before anything else: one write for all. */
function firstOnes(effects: readonly Effect[], from: number): readonly PersistEffect[] {
  const first: PersistEffect[] = [];
  for (const effect of effects.slice(from)) {
    if (effect.kind !== 'persist' || effect.urgency !== 'before_effects') break;
    first.push(effect);
  }
  return first;
}
