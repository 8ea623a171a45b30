import * as fc from 'fast-check';
import type { JsonObject, JsonValue } from '#base/json.ts';
import { localOf, type OracleClock } from './oracle-clock.ts';

const MODES = ['home', 'away', 'night'];
export const POWERS = [30, 44, 46, 48, 52, 60];

export const boolean = fc.boolean();
const feature = (device: string, key: string) => ({ device, key });
export const MOTION = feature('motion', 'motion');
export const DOOR = feature('door', 'open');
export const METER = feature('meter', 'power');
const LAMP = feature('lamp', 'on');
export const switched = fc.constantFrom(MOTION, DOOR, LAMP);
export const mode = fc.constantFrom(...MODES);
export const level = fc.integer({ min: 0, max: 3 });
const limit = fc.constantFrom(45.5, 47.5, 50.5);
const seconds = fc.constantFrom(1, 2, 5, 7, 10, 30, 60, 120);
const maybe = <Value>(one: fc.Arbitrary<Value>) => fc.option(one, { nil: undefined });
/** As people write it: what is left out is not there. */
const object = <Value extends object>(members: { [Name in keyof Value]: fc.Arbitrary<Value[Name]> }) =>
  fc.record(members).map((found) => JSON.parse(JSON.stringify(found)) as JsonObject);

const held = { for_s: maybe(seconds), grace_s: maybe(fc.constantFrom(0, 3, 20, 40)) };
const side = fc.oneof(
  limit.map((above) => ({ above })),
  limit.map((below) => ({ below })),
);
const bounds = fc.oneof(side, fc.constant({ above: 45.5, below: 50.5 }));

export const person = fc.constantFrom('mia', 'tom', 'anyone', 'everyone');
export const there = fc.constantFrom('home' as const, 'away' as const);
const DAY_SETS = [['sun'], ['mon'], ['workday'], ['sat', 'sun']];

/** Clock times around the hour of the case, also such as the clock leaves out or shows twice. */
const timesOf = ({ zone, startMs }: OracleClock) => {
  const { time } = localOf(zone, startMs);
  const first = Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));
  return fc.tuple(fc.integer({ min: -40, max: 130 }), fc.constantFrom('', '', ':00', ':30')).map(([minutes, tail]) => {
    const minute = (first + minutes + 1440) % 1440;
    return `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}${tail}`;
  });
};

const civilTrigger = (clock: OracleClock): fc.Arbitrary<JsonObject> => {
  const time = timesOf(clock);
  const often = {
    missed: maybe(fc.constantFrom<JsonValue>('skip', 'always', { run_late_s: 40 }, { run_late_s: 1200 })),
    days: fc.option(fc.constantFrom(...DAY_SETS), { nil: undefined, freq: 3 }),
  };
  return fc.oneof(
    object({
      type: fc.constant('time'),
      at: fc.oneof(time, fc.uniqueArray(time, { minLength: 1, maxLength: 4 })),
      ...often,
    }),
    object({
      type: fc.constant('sun'),
      event: fc.constantFrom('sunrise', 'sunset', 'dawn', 'dusk', 'noon'),
      offset_s: maybe(fc.integer({ min: -40, max: 40 }).map((minutes) => minutes * 60)),
      not_before: maybe(time),
      not_after: maybe(time),
      ...often,
    }),
  );
};

const EACH: fc.Arbitrary<JsonObject> = object({ type: fc.constant('time'), every_s: fc.constantFrom(20, 45, 300) });

const triggerOf = (clock: OracleClock, inWait: boolean): fc.Arbitrary<JsonObject> => {
  const from = <Value>(one: fc.Arbitrary<Value>) => (inWait ? fc.constant(undefined) : maybe(one));
  return fc.oneof(
    fc
      .tuple(switched, object({ to: maybe(fc.oneof(boolean, fc.constant('*'))), from: from(boolean), ...held }))
      .map(([source, rest]) => ({ type: 'feature', ...source, ...rest })),
    fc
      .tuple(bounds, object({ hysteresis: fc.constantFrom(0, 1, 3), ...held }))
      .map(([limits, rest]) => ({ type: 'threshold', ...METER, ...limits, ...rest })),
    object({
      type: fc.constant('mode'),
      mode: fc.constant('home'),
      to: maybe(fc.oneof(mode, fc.constant(['away', 'night']))),
      from: from(mode),
      for_s: held.for_s,
    }),
    object({
      type: fc.constant('variable'),
      variable: fc.constant('level'),
      to: maybe(level),
      from: from(level),
      for_s: held.for_s,
    }),
    object({
      type: fc.constant('availability'),
      device: fc.constantFrom('motion', 'door', 'meter'),
      to: fc.constantFrom('offline', 'online'),
      for_s: held.for_s,
    }),
    object({ type: fc.constant('presence'), person, to: there, ...held }),
    object({
      type: fc.constant('occurrence'),
      device: fc.constant('remote'),
      key: fc.constant('button'),
      action: maybe(fc.constantFrom('single', ['single', 'double'])),
    }),
    { weight: 2, arbitrary: civilTrigger(clock) },
    ...(inWait ? [] : [EACH]),
  );
};

/** Now and then one stands there once more at the end. */
const withRepeat = (triggers: fc.Arbitrary<JsonObject[]>): fc.Arbitrary<JsonObject[]> =>
  fc
    .tuple(triggers, fc.option(fc.nat(), { nil: undefined, freq: 1 }))
    .map(([all, at]) => [...all, ...(at === undefined ? [] : all.slice(at % all.length).slice(0, 1))]);

const operand: fc.Arbitrary<JsonValue> = fc.oneof(
  level,
  fc.constantFrom<JsonValue>(
    { variable: 'level' },
    { feature: METER },
    { trigger: 'value' },
    { add: [{ variable: 'level' }, 1] },
    { coalesce: [{ feature: METER }, 2] },
    { if: [{ feature: { ...DOOR, is: true } }, 1, 2] },
  ),
);
const level0To5 = operand.map((value) => ({ max: [0, { min: [value, 5] }] }));

const NEXT_LEVEL: JsonValue = { add: [{ variable: 'level' }, 1] };

const leafOf = (clock: OracleClock): fc.Arbitrary<JsonObject> =>
  fc.oneof(
    fc
      .tuple(switched, object({ is: boolean, for_s: maybe(seconds) }))
      .map(([source, rest]) => ({ feature: { ...source, ...rest } })),
    fc
      .tuple(fc.oneof(side, fc.constant({ between: [45.5, 50.5] })), object({ for_s: maybe(seconds) }))
      .map(([one, rest]) => ({ feature: { ...METER, ...one, ...rest } })),
    fc.oneof(mode, fc.constant(['home', 'night'])).map((home) => ({ mode: { home } })),
    object({ variable: fc.constant('level'), above: level }).map((variable) => ({ variable })),
    object({ variable: fc.constant('level'), is: level }).map((variable) => ({ variable })),
    fc.constantFrom('motion', 'door').map((device) => ({ availability: { device, is: 'online' } })),
    fc.constantFrom('t1', 't2').map((id) => ({ trigger: { id } })),
    fc.constantFrom('a', 'b', 'c').map((automation) => ({ run: { automation, is: 'running' } })),
    object({ left: operand, op: fc.constantFrom('eq', 'ne', 'lt', 'le', 'gt', 'ge'), right: operand }).map(
      (compare) => ({
        compare,
      }),
    ),
    fc.tuple(switched, seconds).map(([source, within_s]) => ({ changed: { ...source, within_s } })),
    object({ person, is: there }).map((presence) => ({ presence })),
    object({
      after: maybe(timesOf(clock)),
      before: maybe(timesOf(clock)),
      days: maybe(fc.constantFrom(...DAY_SETS)),
    }).map((time) => ({ time: Object.keys(time).length === 0 ? { days: ['workday'] } : time })),
  );
const withUnknown = (one: fc.Arbitrary<JsonObject>): fc.Arbitrary<JsonObject> =>
  fc
    .tuple(one, fc.option(boolean, { nil: undefined, freq: 2 }))
    .map(([found, if_unknown]) => (if_unknown === undefined ? found : { ...found, if_unknown }));
const conditionOf = (clock: OracleClock) =>
  fc.letrec<{ node: JsonObject }>((tie) => ({
    node: withUnknown(
      fc.oneof(
        { maxDepth: 2, depthSize: 'small' },
        leafOf(clock),
        fc.array(tie('node'), { minLength: 1, maxLength: 3 }).map((and) => ({ and })),
        fc.array(tie('node'), { minLength: 1, maxLength: 3 }).map((or) => ({ or })),
        tie('node').map((not) => ({ not })),
      ),
    ),
  })).node;

const stepsOf = (clock: OracleClock, condition: fc.Arbitrary<JsonObject>) =>
  fc.letrec<{ step: JsonObject; steps: JsonObject[] }>((tie) => ({
    steps: fc.array(tie('step'), { minLength: 1, maxLength: 3 }),
    step: fc.oneof(
      { maxDepth: 2, depthSize: 'small' },
      fc
        .tuple(
          fc.oneof(
            boolean.map((on) => ({ on })),
            level0To5.map((brightness) => ({ brightness })),
          ),
          boolean,
        )
        .map(([set, skip_if_same]) => ({ command: { targets: { devices: ['lamp'] }, set, skip_if_same } })),
      mode.map((value) => ({ mode: { mode: 'home', value } })),
      level0To5.map((value) => ({ variable: { variable: 'level', value } })),
      fc.oneof(seconds, fc.constant({ add: [{ variable: 'level' }, 1] })).map((s) => ({ delay: { s } })),
      timesOf(clock).map((until) => ({ delay: { until, late_max_s: 86_400 } })),
      fc
        .tuple(
          fc.array(triggerOf(clock, true), { minLength: 1, maxLength: 2 }),
          seconds,
          fc.constantFrom('continue', 'stop'),
        )
        .map(([triggers, timeout_s, then]) => ({ wait_for: { triggers, timeout_s, then, late_max_s: 86_400 } })),
      fc
        .tuple(condition, seconds, fc.constantFrom('continue', 'stop'))
        .map(([found, timeout_s, then]) => ({ wait_for: { condition: found, timeout_s, then } })),
      fc.constantFrom('finished', 'failed').map((outcome) => ({ stop: { outcome } })),
      fc
        .tuple(condition, tie('steps'), tie('steps'))
        .map(([one, then, rest]) => ({ choose: { cases: [{ if: one, then }], else: rest } })),
      fc
        .tuple(level, tie('steps'))
        .map(([times, body]) => ({ repeat: { times, max: 2, steps: [...body, { delay: { s: 3 } }] } })),
    ),
  })).steps;

/** Documents of a home whose clock shows this when it begins. */
export function documentOf(clock: OracleClock): fc.Arbitrary<JsonObject> {
  const condition = conditionOf(clock);
  return fc.record({
    mode: fc.constantFrom(
      { kind: 'single', max: 1 },
      { kind: 'restart', max: 1 },
      { kind: 'queued', max: 2 },
      { kind: 'parallel', max: 2 },
    ),
    triggers: withRepeat(fc.array(triggerOf(clock, false), { minLength: 1, maxLength: 3, size: 'max' })),
    conditions: fc.oneof(fc.constant([]), fc.array(condition, { maxLength: 2 })),
    steps: stepsOf(clock, condition),
  });
}

/** Documents that times of the clock alone start. Two of them have triggers with the same ids. */
export function civilDocumentOf(clock: OracleClock): fc.Arbitrary<JsonObject> {
  return fc.record({
    mode: fc.constant({ kind: 'parallel', max: 2 }),
    triggers: withRepeat(fc.array(fc.oneof(civilTrigger(clock), EACH), { minLength: 1, maxLength: 3 })),
    conditions: fc.constant([]),
    steps: fc.constant([{ delay: { s: 1 } }]),
  });
}

/** Documents that start themselves and each other, at once or after a while. */
export const loopDocument: fc.Arbitrary<JsonObject> = fc.record({
  mode: fc.constantFrom(
    { kind: 'single', max: 1 },
    { kind: 'restart', max: 1 },
    { kind: 'queued', max: 2 },
    { kind: 'parallel', max: 2 },
  ),
  triggers: fc.array(
    fc.oneof(
      object({ type: fc.constant('mode'), mode: fc.constant('home'), to: maybe(mode) }),
      object({ type: fc.constant('variable'), variable: fc.constant('level'), to: maybe(level) }),
      object({ type: fc.constant('feature'), device: fc.constant('lamp'), key: fc.constant('brightness') }),
      object({ type: fc.constant('time'), every_s: fc.constant(45) }),
    ),
    { minLength: 1, maxLength: 2 },
  ),
  conditions: fc.constant([]),
  steps: fc.array(
    fc.oneof(
      { weight: 3, arbitrary: mode.map((value) => ({ mode: { mode: 'home', value } })) },
      {
        weight: 3,
        arbitrary: fc
          .constantFrom<JsonValue>(0, 1, 2, 3, { if: [{ variable: { variable: 'level', above: 3 } }, 0, NEXT_LEVEL] })
          .map((value) => ({ variable: { variable: 'level', value } })),
      },
      fc.constant({ command: { targets: { devices: ['lamp'] }, set: { brightness: { variable: 'level' } } } }),
      fc.constantFrom(0.1, 0.3, 0.7, 1, 5).map((s) => ({ delay: { s } })),
    ),
    { minLength: 1, maxLength: 4, size: 'max' },
  ),
});
