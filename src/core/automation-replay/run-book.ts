import type { Effect } from '#core/automation-run/engine.ts';
import { createNearMissRing, type NearMiss } from '#core/automation-run/trace/near-miss-ring.ts';
import { type AutomationRun, isDull } from '#core/automation-run/trace/trace.ts';
import type { DeviceId } from '#core/device/device.ts';
import { type Firing, type Replay, SIMULATION_LIMITS, type TimeWindow } from './simulation.ts';

/** A replay has one clock, which nobody corrects. */
const ONE_CLOCK = '';

/** Member by member, because most samples of a meter are near misses. */
function ofOneClock({
  automation,
  trigger,
  device,
  key,
  reason,
  atMs,
}: NearMiss): NearMiss & { readonly epoch: string } {
  return { automation, trigger, device, key, reason, atMs, epoch: ONE_CLOCK };
}

type Sent = { sent: number; onMs: number; onSinceMs: number | undefined };

/**
 * Collects the outcome of a replay, however long it is: few whole traces, and a line for each start. Notes only what
 * belongs to starts inside the window.
 */
export function createRunBook({ fromMs, toMs }: TimeWindow) {
  const firings = new Map<string, Firing>();
  const telling = new Map<string, AutomationRun>();
  const dull = new Map<string, AutomationRun>();
  const misses = createNearMissRing();
  const devices = new Map<DeviceId, Sent>();
  const isInside = (atMs: number): boolean => atMs >= fromMs && atMs < toMs;

  const noteRun = (run: AutomationRun): void => {
    if (!isInside(run.startedAtMs)) return;
    const { id, startedAtMs: atMs, outcome } = run;
    firings.set(id, { atMs, trigger: run.trigger.id, outcome, run: null });
    // A run that was under way may come to nothing, and belongs to the others then.
    if (isDull(run)) telling.delete(id);
    keep(isDull(run) ? dull : telling, run, isDull(run) ? SIMULATION_LIMITS.dullRuns : SIMULATION_LIMITS.runs);
  };
  const noteCommand = ({ wishes }: Extract<Effect, { kind: 'command' }>, nowMs: number): void => {
    if (!isInside(nowMs)) return;
    for (const [device, wish] of wishes) {
      const known = devices.get(device) ?? { sent: 0, onMs: 0, onSinceMs: undefined };
      devices.set(device, known);
      known.sent += 1;
      const isOn = 'set' in wish ? wish.set['on'] : undefined;
      if (isOn === true) known.onSinceMs ??= nowMs;
      if (isOn !== false || known.onSinceMs === undefined) continue;
      known.onMs += nowMs - known.onSinceMs;
      known.onSinceMs = undefined;
    }
  };
  return {
    note: (effect: Effect, nowMs: number): void => {
      if (effect.kind === 'trace') noteRun(effect.run);
      else if (effect.kind === 'near_miss' && isInside(nowMs)) misses.put(ofOneClock(effect.miss));
      else if (effect.kind === 'command') noteCommand(effect, nowMs);
    },
    /** Whether there are more starts than one answer could hold. */
    isFull: (): boolean => firings.size > SIMULATION_LIMITS.firings,
    end: (): Omit<Replay, 'missing'> => {
      const runs = fitting([...telling.values()].toReversed(), [...dull.values()].toReversed()).toSorted(
        (left, right) => left.startedAtMs - right.startedAtMs,
      );
      const kept = new Set(runs.map(({ id }) => id));
      return {
        runs,
        firings: [...firings].map(([id, firing]) => (kept.has(id) ? { ...firing, run: id } : firing)),
        nearMisses: misses.list(),
        commands: new Map(
          [...devices].map(([device, { sent, onMs, onSinceMs }]) => [
            device,
            { sent, onMs: onMs + (onSinceMs === undefined ? 0 : toMs - onSinceMs) },
          ]),
        ),
      };
    },
  };
}

/** The newest ones stay. */
function keep(kept: Map<string, AutomationRun>, run: AutomationRun, most: number): void {
  kept.set(run.id, run);
  const [oldest] = kept.keys();
  if (kept.size > most && oldest !== undefined) kept.delete(oldest);
}

/** Newest first. A run may have hundreds of steps, and all of them go into one answer. */
function fitting(...lists: readonly (readonly AutomationRun[])[]): readonly AutomationRun[] {
  let left = SIMULATION_LIMITS.traceBytes;
  return lists.flat().filter((run) => {
    left -= JSON.stringify(run).length;
    return left >= 0;
  });
}
