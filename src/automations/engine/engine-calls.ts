import type { AutomationId } from '#core/automation/document/condition.ts';
import type { Effect, Engine, Input } from '#core/automation-run/engine.ts';
import type { AutomationEngine, Started } from '#core/automation-run/live.ts';
import type { EngineTimers } from './engine-timers.ts';
import type { InputLoop } from './input-loop.ts';
import type { LiveView } from './live-view.ts';
import type { RecentPast } from './recent-past.ts';

type CallsDeps = {
  readonly engine: Engine;
  readonly timers: Pick<EngineTimers, 'wallMsOf'>;
  readonly live: Pick<LiveView, 'view'>;
  readonly past: Pick<RecentPast, 'ready'>;
  readonly loop: Pick<InputLoop, 'push'>;
  readonly isPutOff: () => boolean;
};

/** Makes the calls of people and hooks. Each takes its turn among the inputs. */
export function createCalls({ engine, timers, live, past, loop, isPutOff }: CallsDeps): AutomationEngine {
  const ask = (input: Input, before: () => void = () => undefined): Promise<readonly Effect[]> =>
    new Promise((done) => loop.push(input, { before, done }));
  const start = async (id: AutomationId, input: Input, authorize?: () => void): Promise<Started> => {
    if (isPutOff()) return { refused: 'put_off' };
    const reading = past.ready(id);
    if (reading !== undefined) await reading;
    authorize?.();
    const known = new Set<string>();
    const effects = await ask(input, () => engine.automations.get(id)?.runs.forEach((run) => known.add(run)));
    return startedBy(effects, id, known);
  };
  return {
    run: (id, given, authorize) => start(id, { kind: 'run', automation: id, ...given }, authorize),
    stop: async (id) => void (await ask({ kind: 'stop', automation: id })),
    reset: async (id) => void (await ask({ kind: 'reset', automation: id })),
    callHook: (id, call, authorize) => start(id, { kind: 'hook', automation: id, ...call }, authorize),
    statusOf: (id) => {
      const active = engine.automations.get(id);
      const times = (active?.program.triggers ?? []).flatMap((_, at) => timers.wallMsOf(`civil/${id}/${at}`) ?? []);
      return {
        tripped: active?.breaker.tripped ?? null,
        nextAtMs: times.length === 0 ? null : Math.min(...times),
        running: active?.runs.size ?? 0,
      };
    },
    now: () => live.view,
  };
}

/** The first trace of a run that was not there before; without one, why there is none. */
function startedBy(effects: readonly Effect[], id: AutomationId, known: ReadonlySet<string>): Started {
  for (const effect of effects) {
    if (effect.kind === 'trace' && effect.run.automation === id && !known.has(effect.run.id)) {
      return { run: effect.run.id };
    }
  }
  const miss = effects.find((effect) => effect.kind === 'near_miss' && effect.miss.automation === id);
  return { refused: miss?.kind === 'near_miss' ? miss.miss.reason.why : 'unknown' };
}
