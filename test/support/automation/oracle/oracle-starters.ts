import type { Automation } from '#core/automation/registry/automation-record.ts';
import type { Trigger } from '#core/automation/document/trigger.ts';
import { afterStep, type CivilPast, isCivil, noteTime } from './oracle-clock.ts';
import type { Starter } from './oracle-due.ts';
import { isSame, type OracleWorld } from './oracle-world.ts';

/** A repeat of another trigger counts for nothing, unless the document asks for ids. */
function countingIn({ definition: { triggers, ...rest } }: Automation): readonly Trigger[] {
  if (JSON.stringify(rest).includes('{"trigger":{"id":')) return triggers;
  const bare = triggers.map((trigger) => ({ ...trigger, id: '' }) as never);
  return triggers.filter((_, at) => bare.findIndex((one) => isSame(one, bare[at])) === at);
}

/** The automations as they are saved, by their ids, and what watches for their starts. */
export function createStarters(world: OracleWorld, automations: readonly Automation[]) {
  const known = new Map<string, Automation>();
  const starters = new Map<string, readonly Starter[]>();
  const pasts = new Map<string, CivilPast>();

  /** Begins to watch; a trigger that is as it was is watched as before. */
  const save = (automation: Automation): void => {
    const { id, signedAtMs } = automation;
    const triggers = countingIn(automation);
    const before = starters.get(id) ?? [];
    const pastOf = (trigger: Trigger): CivilPast => {
      const name = `${id} ${trigger.id}`;
      const past = pasts.get(name) ?? { signedMs: signedAtMs, dealt: [] };
      pasts.set(name, past);
      const wallMs = world.wallMs();
      if (world.seq > 0 && wallMs !== undefined) noteTime(past, wallMs);
      return past;
    };
    const watchOf = (trigger: Trigger): Starter =>
      before.find((one) => isSame(one.trigger as never, trigger as never)) ?? {
        trigger,
        sinceSeq: world.seq,
        sinceMs: world.nowMs,
        isWait: false,
        looks: [],
        civil: isCivil(trigger) ? { trigger, past: pastOf(trigger), afterMs: signedAtMs } : undefined,
      };
    for (const trigger of triggers) {
      const past = pasts.get(`${id} ${trigger.id}`);
      if (past !== undefined) past.signedMs = signedAtMs;
    }
    // Of an id that no time of the clock has any more, nothing is remembered.
    const kept = new Set(triggers.filter(isCivil).map((trigger) => `${id} ${trigger.id}`));
    for (const name of pasts.keys()) if (name.startsWith(`${id} `) && !kept.has(name)) pasts.delete(name);
    known.set(id, automation);
    starters.set(id, triggers.map(watchOf));
  };
  /** After the clock was set and after a start. */
  const countAnew = (): void => {
    const wallMs = world.wallMs();
    if (wallMs === undefined) return;
    for (const { civil } of [...starters.values()].flat())
      if (civil !== undefined) civil.afterMs = afterStep(civil.past, wallMs);
  };
  for (const one of automations) save(one);
  return {
    list: (): readonly (readonly [Automation, readonly Starter[]])[] =>
      [...known.values()]
        .toSorted((left, right) => (left.id < right.id ? -1 : 1))
        .map((one) => [one, starters.get(one.id) ?? []]),
    save: (automation: Automation): void => {
      save(automation);
      countAnew();
    },
    countAnew,
  };
}
