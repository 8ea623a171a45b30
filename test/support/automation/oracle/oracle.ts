import type { JsonValue } from '#base/json.ts';
import type { Truth } from '#core/automation/view.ts';
import type { Automation } from '#core/automation/registry/automation-record.ts';
import type { PresenceState } from '#core/presence/presence.ts';
import type { AvailabilityState } from '#core/device/device.ts';
import type { Quality } from '#core/feature/feature.ts';
import { conjunction, judge, type OracleFacts } from './oracle-condition.ts';
import {
  type End,
  type Live,
  lookedOf,
  type OracleEffect,
  type OracleRun,
  perform,
  stepAt,
  stepsIn,
} from './oracle-run.ts';
import { createBreakers } from './oracle-breaker.ts';
import { beganAt } from './oracle-clock.ts';
import { firstDue } from './oracle-due.ts';
import { createStarters } from './oracle-starters.ts';
import { readPast, type Watch, watchedName } from './oracle-trigger.ts';
import {
  createWorld,
  isSame,
  type OracleHome,
  type Place,
  report,
  tell,
  tellFeature,
  tellPeople,
} from './oracle-world.ts';

type Event =
  | { readonly kind: 'value'; readonly device: string; readonly key: string; readonly depth: number }
  | { readonly kind: 'presence' }
  | { readonly kind: 'press'; readonly device: string; readonly action: string }
  | { readonly kind: 'availability'; readonly device: string; readonly to: AvailabilityState }
  | {
      readonly kind: 'mode' | 'variable';
      readonly key: string;
      readonly value: JsonValue;
      readonly depth: number;
    };
type Report = { readonly value: JsonValue; readonly quality?: Quality; readonly depth?: number };

/** As an effect of the hub. */
export function tripLine(atMs: number, automation: string, forMs: number): string {
  return `${atMs} ${automation} trip for ${forMs / 60_000} min`;
}

const ANSWER_MS = 300;
const MAX_DEPTH = 8;
const MAX_RUNS = 200;

/**
 * What automations should do, worked out from the documents in the simplest way: nothing is indexed, no timer is kept.
 * At each input every trigger goes through all that it ever saw, and after each input all that time could bring is
 * worked out anew. It covers triggers of features, thresholds, modes, variables, availability, people, buttons, clock
 * times, the sun and `every_s`, with `for_s` and `grace_s` where they have them; conditions and operands on them in
 * three values; the four modes of running; the steps command (without waiting), delay, wait_for, choose, repeat, stop,
 * mode and variable; edits, restarts and steps of the clock; loops, which end at a chain of eight or with a trip for too
 * many starts. It does not cover hands, scenes, several devices in one trigger, parallel branches and trips for flapping.
 */
export function createOracle(home: OracleHome, automations: readonly Automation[]) {
  const world = createWorld(home);
  const runs: OracleRun[] = [];
  const lives: Live[] = [];
  const effects: string[] = [];
  const inbox: Event[] = [];
  const answers: { readonly atMs: number; readonly run: () => void }[] = [];
  const starters = createStarters(world, automations);
  const breakers = createBreakers(world);
  /** What follows the input that is dealt with. */
  let given: (() => void)[] = [];

  const livesOf = (automation: string): readonly Live[] => lives.filter(({ run }) => run.automation === automation);
  const isRunning = (automation: string): boolean => livesOf(automation).length > 0;

  const end = (live: Live, { outcome, reason }: End): void => {
    Object.assign(live.run, { outcome, reason, finishedAtMs: world.nowMs });
    lives.splice(lives.indexOf(live), 1);
  };
  const goOn = (live: Live, how: 'came' | 'timed out'): void => {
    const { done, value } = live.performing.next(how);
    if (done !== true) live.pause = value;
    else end(live, value ?? { outcome: 'finished', reason: null });
  };

  const firedNow = (watch: Watch): OracleFacts | undefined =>
    readPast(watch, world).firings.find(({ seq }) => seq === world.seq)?.facts;

  /** A trigger fired: whether it starts a run. */
  const start = ({ id, definition }: Automation, facts: OracleFacts): void => {
    if (breakers.isTripped(id)) return;
    const leaves = new Map<string, Truth>();
    const scope = { world, facts, timedOut: new Map<string, boolean>(), isRunning };
    const truth = conjunction(
      definition.conditions.map((condition, at) => judge(condition, `/conditions/${at}`, { ...scope, leaves })),
    );
    const looked = [...lookedOf(leaves)];
    const run: OracleRun = {
      automation: id,
      facts,
      startedAtMs: world.nowMs,
      finishedAtMs: world.nowMs,
      outcome: 'skipped',
      reason: null,
      looked,
    };
    runs.push(run);
    const { kind, max } = definition.mode;
    const before = livesOf(id);
    if (truth !== true) {
      Object.assign(run, { outcome: 'not_met', reason: truth === 'unknown' ? 'unknown' : 'not_met' });
      return;
    }
    if (facts.depth >= MAX_DEPTH) return void (run.reason = 'loop');
    if ((kind === 'single' && before.length > 0) || (kind === 'parallel' && before.length >= max))
      return void (run.reason = 'busy');
    if (kind === 'queued' && before.length > max) return void (run.reason = 'queue_full');
    if (lives.length >= MAX_RUNS) return void (run.reason = 'too_many_runs');
    const tripsForMs = breakers.takeStart(id);
    if (tripsForMs !== undefined) {
      run.reason = 'tripped';
      for (const old of before) end(old, { outcome: 'stopped', reason: 'tripped' });
      given.push(() => effects.push(tripLine(world.nowMs, id, tripsForMs)));
      return;
    }
    if (kind === 'restart') for (const old of before) end(old, { outcome: 'superseded', reason: null });
    Object.assign(run, { outcome: 'running', finishedAtMs: null });
    const live: Live = {
      run,
      number: runs.length,
      performing: perform(definition.steps, '/steps', {
        ...scope,
        give: (effect) => given.push(() => carryOut(live, effect)),
        look: (more) => looked.push(...lookedOf(more)),
      }),
      pause: undefined,
      steps: definition.steps,
    };
    lives.push(live);
    if (kind !== 'queued' || before.length === 0) goOn(live, 'came');
  };

  const startNext = (): void => {
    for (const [{ id }] of starters.list()) {
      for (let next = livesOf(id)[0]; next !== undefined && next.pause === undefined; next = livesOf(id)[0])
        goOn(next, 'came');
    }
  };

  /** One input: runs that wait, then triggers, then queues; after that all effects, in their order. */
  const dealWith = (work: () => void): void => {
    work();
    startNext();
    const todo = given;
    given = [];
    for (const follow of todo) follow();
  };
  const dealWithOne = (happened: () => void, { isEvent }: { readonly isEvent: boolean }): void => {
    world.seq += 1;
    dealWith(() => {
      happened();
      if (!isEvent) return;
      for (const live of lives.slice()) {
        const { pause } = live;
        if (pause === undefined || !lives.includes(live)) continue;
        const isToldOf = pause.names.some((name) => world.told.get(name)?.at(-1)?.seq === world.seq);
        if ((isToldOf && pause.isMet?.() === true) || pause.watches.some((one) => firedNow(one) !== undefined))
          goOn(live, 'came');
      }
      for (const [automation, watches] of starters.list()) {
        for (const one of watches) {
          const facts = watchedName(one.trigger) === undefined ? undefined : firedNow(one);
          if (facts !== undefined) start(automation, facts);
        }
      }
    });
  };
  /** One input, then all that it made happen, in the order in which it happened. */
  const input: typeof dealWithOne = (happened, kind) => {
    dealWithOne(happened, kind);
    tellAll();
  };

  const carryOut = (by: Live, effect: OracleEffect): void => {
    const depth = by.run.facts.depth + 1;
    const { automation } = by.run;
    if (effect.kind === 'command') {
      effects.push(`${world.nowMs} ${automation} command ${effect.devices.join()} ${JSON.stringify(effect.set)}`);
      answers.push({
        atMs: world.nowMs + ANSWER_MS,
        run: () => {
          for (const device of effect.devices)
            for (const [key, value] of Object.entries(effect.set)) reportNow({ device, key }, { value, depth });
        },
      });
      return;
    }
    const { key, value } = effect;
    effects.push(`${world.nowMs} ${automation} ${effect.kind} ${key} ${JSON.stringify(value)}`);
    if (effect.kind === 'set_mode') {
      world.modes.set(key, value as string);
      inbox.push({ kind: 'mode', key, value, depth });
    } else {
      world.variables.set(key, value);
      inbox.push({ kind: 'variable', key, value, depth });
    }
  };

  const takeEvent = (event: Event): void => {
    inbox.push(event);
    tellAll();
  };
  /** A loop, as what one event makes happen may be thousands of others. */
  const tellAll = (): void => {
    for (let event = inbox.shift(); event !== undefined; event = inbox.shift()) tellOf(event);
  };
  const tellOf = (event: Event): void => {
    // A mode or variable that is set to what it was is no news.
    const isNews =
      !('value' in event) || !isSame(world.told.get(`${event.kind}/${event.key}`)?.at(-1)?.value, event.value);
    if (!isNews) return;
    dealWithOne(
      () => {
        if (event.kind === 'value') tellFeature(world, event, event.depth);
        else if (event.kind === 'availability') {
          tell(world, `availability/${event.device}`, { value: event.to });
          for (const name of world.values.keys()) {
            const [device = '', key = ''] = name.split(' ');
            if (device === event.device) tellFeature(world, { device, key }, 0);
          }
        } else if (event.kind === 'presence') tellPeople(world);
        else if (event.kind === 'press') tell(world, `occurrence/${event.device} button`, { value: event.action });
        else tell(world, `${event.kind}/${event.key}`, event);
      },
      { isEvent: true },
    );
  };

  const reportNow = (place: Place, { value, quality = 'confirmed', depth = 0 }: Report): void => {
    if (report(world, place, { value, quality })) takeEvent({ ...place, kind: 'value', depth });
  };

  return {
    runs: (): readonly OracleRun[] => runs,
    effects: (): readonly string[] => effects,
    advance: (ms: number): void => {
      const untilMs = world.nowMs + ms;
      for (;;) {
        const due = firstDue({
          world,
          starters: starters.list(),
          lives,
          firedNow,
          start,
          goOn,
        });
        const [answer] = answers;
        const isAnswer = answer !== undefined && (due === undefined || answer.atMs < due.atMs);
        const next = isAnswer ? answer : due;
        if (next === undefined || next.atMs > untilMs) break;
        world.nowMs = Math.max(world.nowMs, next.atMs);
        if (isAnswer) answers.shift();
        if (isAnswer) answer.run();
        else input(next.run, { isEvent: false });
      }
      world.nowMs = untilMs;
    },
    report: reportNow,
    /** The hub is off for a while. Runs and triggers go on; what was confirmed is now from before the start. */
    restart: (offMs: number): void => {
      world.nowMs += offMs;
      for (const [name, state] of world.values)
        if (state.quality === 'confirmed') world.values.set(name, { ...state, quality: 'restored' });
      starters.countAnew();
      breakers.fill();
      /** A wait looks at the value first: it may have come before the hub was off, and been there for long enough since. */
      const isThere = (watch: Watch): boolean => {
        const { trigger } = watch;
        if (trigger.type !== 'feature' || trigger.to === undefined || !('device' in trigger)) return false;
        const changedAtMs = world.values.get(`${trigger.device} ${trigger.key ?? ''}`)?.changedAtMs ?? 0;
        if (changedAtMs <= watch.sinceMs) return false;
        watch.looks.push({ seq: world.seq, atMs: world.nowMs });
        return firedNow(watch) !== undefined;
      };
      const look = (): void => {
        for (const live of lives.slice()) {
          if (live.pause?.isMet?.() === true || (live.pause?.watches ?? []).some(isThere)) goOn(live, 'came');
          else if (live.pause?.pollFromMs !== undefined) live.pause.pollFromMs = world.nowMs;
        }
      };
      input(look, { isEvent: false });
    },
    setAvailability: (device: string, to: AvailabilityState): void => {
      world.availability.set(device, to);
      takeEvent({ kind: 'availability', device, to });
    },
    setMode: (key: string, value: string): void => {
      world.modes.set(key, value);
      takeEvent({ kind: 'mode', key, value, depth: 0 });
    },
    setPresence: (person: string, state: PresenceState): void => {
      world.people.set(person, state);
      takeEvent({ kind: 'presence' });
    },
    press: (device: string, action: string): void => takeEvent({ kind: 'press', device, action }),
    /** The clock on the wall is put to this. What it goes back to is ahead once more. */
    setClock: (wallMs: number): void => {
      world.setClock(wallMs);
      starters.countAnew();
      for (const { pause } of lives) {
        if (pause === undefined) continue;
        pause.beganMs = beganAt(pause.beganMs, world, pause.sinceMs);
        for (const civil of pause.civil) civil.afterMs = pause.beganMs;
      }
      input(() => {}, { isEvent: false });
    },
    save: (automation: Automation): void => {
      input(
        () => {
          starters.save(automation);
          for (const live of livesOf(automation.id)) {
            const { pause, steps } = live;
            // A run in a queue stands at its first step.
            const pointer = pause?.pointer ?? '/steps/0';
            const now = stepsIn(automation.definition.steps);
            const step = stepAt(steps, pointer);
            if (!now.some((one) => isSame(one, step))) end(live, { outcome: 'superseded', reason: null });
          }
        },
        { isEvent: false },
      );
    },
    setVariable: (key: string, value: JsonValue): void => {
      world.variables.set(key, value);
      takeEvent({ kind: 'variable', key, value, depth: 0 });
    },
  };
}
