import type { Automation } from '#core/automation/registry/automation-record.ts';
import type { OracleFacts } from './oracle-condition.ts';
import { type CivilWatch, isInTime, nextClockTime, nextTime, noteTime } from './oracle-clock.ts';
import type { Live } from './oracle-run.ts';
import { readPast, type Watch, watchedName } from './oracle-trigger.ts';
import type { OracleWorld } from './oracle-world.ts';

/** Something that time alone brings; `name` puts those of one moment in order. */
export type DueThing = { readonly atMs: number; readonly name: string; readonly run: () => void };

/** What watches for starts of an automation. */
export type Starter = Watch & { readonly civil: CivilWatch | undefined };

export type Watchers = {
  readonly world: OracleWorld;
  readonly starters: readonly (readonly [Automation, readonly Starter[]])[];
  readonly lives: readonly Live[];
  readonly firedNow: (watch: Watch) => OracleFacts | undefined;
  readonly start: (automation: Automation, facts: OracleFacts) => void;
  readonly goOn: (live: Live, how: 'came' | 'timed out') => void;
};

/** Of all that time could bring, the first. */
export function firstDue({ world, starters, lives, firedNow, start, goOn }: Watchers): DueThing | undefined {
  const due: DueThing[] = [];
  const look = (watch: Watch, name: string, act: (facts: OracleFacts) => void): void => {
    const atMs = readPast(watch, world).nextMs;
    if (atMs === undefined) return;
    const run = (): void => {
      watch.looks.push({ seq: world.seq, atMs: world.nowMs });
      const facts = firedNow(watch);
      if (facts !== undefined) act(facts);
    };
    due.push({ atMs, name, run });
  };
  const wallMs = world.wallMs();
  const clock = (watch: CivilWatch, name: string, act: (lateMs: number) => void): void => {
    const atWallMs = wallMs === undefined ? undefined : nextTime(watch, world.zone, wallMs);
    if (wallMs === undefined || atWallMs === undefined) return;
    const run = (): void => {
      watch.afterMs = atWallMs;
      noteTime(watch.past, atWallMs);
      act((world.wallMs() ?? atWallMs) - atWallMs);
    };
    due.push({ atMs: world.nowMs + atWallMs - wallMs, name, run });
  };
  for (const [automation, watches] of starters) {
    for (const [at, watch] of watches.entries()) {
      const slot = watchedName(watch.trigger)?.includes(' ') === true ? watchedName(watch.trigger) : '';
      look(watch, `look/${automation.id}/${at}/${slot}`, (facts) => start(automation, facts));
      if (watch.civil === undefined) continue;
      const { id } = watch.trigger;
      const { civil } = watch;
      clock(civil, `civil/${automation.id}/${at}`, (lateMs) => {
        if (isInTime(civil.trigger, lateMs)) start(automation, { id, from: undefined, value: undefined, depth: 0 });
      });
    }
  }
  for (const live of lives) {
    const { pause, number } = live;
    if (pause === undefined) continue;
    const name = `run/${String(number).padStart(6, '0')}/0`;
    const { untilTime, beganMs } = pause;
    if (untilTime === undefined) due.push({ atMs: pause.untilMs, name, run: () => goOn(live, 'timed out') });
    else if (wallMs !== undefined && beganMs !== undefined)
      due.push({
        atMs: world.nowMs + nextClockTime(world.zone, untilTime, beganMs) - wallMs,
        name,
        run: () => goOn(live, 'timed out'),
      });
    for (const [at, watch] of pause.watches.entries()) look(watch, `${name}/${at}/`, () => goOn(live, 'came'));
    for (const [at, watch] of pause.civil.entries()) clock(watch, `${name}/${at}/civil`, () => goOn(live, 'came'));
    if (pause.pollFromMs === undefined) continue;
    const poll = (): void => {
      pause.pollFromMs = world.nowMs;
      if (pause.isMet?.() === true) goOn(live, 'came');
    };
    due.push({ atMs: pause.pollFromMs + 1000, name: `${name}/poll`, run: poll });
  }
  return due.toSorted((left, right) => left.atMs - right.atMs || (left.name < right.name ? -1 : 1))[0];
}
