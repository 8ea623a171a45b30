import { describe, expect, test } from 'vitest';
import { type Cause, DIRECT } from '#core/command/cause.ts';
import { createFeature } from '#test/support/hub/feature.ts';
import { BRIGHTNESS, describeDevice, openCommandHome } from '#test/support/hub/command-home.ts';

const POSITION = createFeature('position', {
  capability: 'position',
  valueType: 'number',
  unit: 'percent',
  min: 0,
  max: 100,
});
const COLOR = createFeature('color', { capability: 'color', valueType: 'color' });
const SECOND = createFeature('left.on', { component: 'left' });
const FEATURES = [createFeature('on'), BRIGHTNESS, COLOR, POSITION, SECOND];
const POWER = createFeature('power', { capability: 'power', valueType: 'number', writable: false });

async function openHome() {
  const home = await openCommandHome([describeDevice('lamp', { features: [...FEATURES, POWER] })]);
  home.report('lamp', { on: false, brightness: 20, position: 0, 'left.on': false, power: 0 });
  home.events.length = 0;
  return {
    ...home,
    give: async (set: Record<string, boolean | number | { x: number; y: number }>, cause: Cause = DIRECT) => {
      const { id } = home.commands.accept({ ...home.requestFor('lamp', set), cause }, null);
      await home.time.advance(0);
      return id;
    },
    /** What changed since the last call, as `on=true assumed`, and the command that it names. */
    changes: (): [string, string | null][] =>
      home.events
        .splice(0)
        .flatMap((event) =>
          event.type === 'feature.changed'
            ? [
                [
                  `${event.key}=${JSON.stringify(event.state.value)} ${event.state.quality}`,
                  event.cause?.command ?? null,
                ],
              ]
            : [],
        ),
  };
}

describe('a change of a value', () => {
  test('that answers a command names it, from the assumption to the report', async () => {
    const { give, changes, report } = await openHome();
    const id = await give({ on: true });
    expect(changes()).toEqual([['on=true assumed', id]]);
    report('lamp', { on: true });
    expect(changes()).toEqual([['on=true confirmed', id]]);
  });

  test('has the scene, the automation and the depth of its command', async () => {
    const { give, events, report } = await openHome();
    const cause = { command: null, scene: 'scene', automation: 'rule', run: 'run', depth: 3 };
    const id = await give({ on: true }, cause);
    report('lamp', { on: true });
    const causes = events.flatMap((event) => (event.type === 'feature.changed' ? [event.cause] : []));
    expect(causes).toEqual([
      { ...cause, command: id },
      { ...cause, command: id },
    ]);
  });

  test('that nobody commanded names none', async () => {
    const { changes, report, give } = await openHome();
    report('lamp', { on: true });
    await give({ brightness: 60 });
    changes();
    report('lamp', { 'left.on': true, power: 4 });
    expect(changes()).toEqual([
      ['left.on=true confirmed', null],
      ['power=4 confirmed', null],
    ]);
  });

  test('is that of a hand when it says something else than the command, and again when it comes back', async () => {
    const { give, changes, report } = await openHome();
    await give({ on: true });
    report('lamp', { on: true });
    changes();
    report('lamp', { on: false });
    report('lamp', { on: true });
    expect(changes()).toEqual([
      ['on=false confirmed', null],
      ['on=true confirmed', null],
    ]);
  });

  test('is that of a hand when it comes after the time for reports of the command', async () => {
    const { give, changes, report, time } = await openHome();
    await give({ on: true });
    report('lamp', { on: true });
    await time.advance(10_000);
    report('lamp', { on: false });
    await time.advance(60_000);
    report('lamp', { on: true });
    expect(changes().slice(2)).toEqual([
      ['on=false confirmed', null],
      ['on=true confirmed', null],
    ]);
  });

  test('on the way to the wanted value names the command, as long as a blind moves', async () => {
    const { give, changes, report, time } = await openHome();
    const id = await give({ position: 100 });
    changes();
    for (const position of [30, 60, 90, 100]) {
      await time.advance(8_000);
      report('lamp', { position });
    }
    expect(changes().map(([, by]) => by)).toEqual([id, id, id, id]);
    report('lamp', { position: 40 });
    expect(changes()).toEqual([['position=40 confirmed', id]]);
  });

  test('away from the wanted value is that of a hand', async () => {
    const { give, changes, report } = await openHome();
    await give({ brightness: 60 });
    changes();
    report('lamp', { brightness: 10 });
    report('lamp', { brightness: 90 });
    expect(changes().map(([, by]) => by)).toEqual([null, null]);
  });

  test('that a lamp makes together with the commanded one names the command too', async () => {
    const { give, changes, report } = await openHome();
    const id = await give({ brightness: 60 });
    changes();
    report('lamp', { on: true, brightness: 60, power: 5, 'left.on': true });
    expect(changes()).toEqual([
      ['on=true confirmed', id],
      ['brightness=60 confirmed', id],
      ['power=5 confirmed', null],
      ['left.on=true confirmed', null],
    ]);
  });

  test('back to what was reported, because the command had no effect, names the command', async () => {
    const { give, changes, time } = await openHome();
    const id = await give({ on: true });
    await time.advance(10_000);
    expect(changes()).toEqual([
      ['on=true assumed', id],
      ['on=false confirmed', id],
    ]);
  });

  test('that is older than the command is not its answer', async () => {
    const { give, changes, reports, time } = await openHome();
    const beforeMs = time.clock.wallMs() - 1;
    await give({ on: true });
    changes();
    reports.reportValues('lamp', new Map([['on', true]]), beforeMs);
    expect(changes()).toEqual([['on=true confirmed', null]]);
  });

  test('names the command that it answers, of two that were sent before the first report', async () => {
    const { give, changes, report } = await openHome();
    const first = await give({ on: true });
    const second = await give({ on: false });
    changes();
    report('lamp', { on: true });
    report('lamp', { on: false });
    expect(changes()).toEqual([
      ['on=true confirmed', first],
      ['on=false confirmed', second],
    ]);
    report('lamp', { on: true });
    expect(changes()).toEqual([['on=true confirmed', null]]);
  });

  test('names a command for each of three that go back and forth', async () => {
    const { give, changes, report } = await openHome();
    for (const on of [true, false, true]) await give({ on });
    changes();
    for (const on of [true, false, true]) report('lamp', { on });
    expect(changes().every(([, by]) => by !== null)).toBe(true);
  });

  test('is that of a hand when the device left the first of two commands out', async () => {
    const { give, changes, report } = await openHome();
    await give({ on: true });
    const second = await give({ on: false });
    changes();
    report('lamp', { on: false });
    report('lamp', { on: true });
    expect(changes()).toEqual([
      ['on=false confirmed', second],
      ['on=true confirmed', null],
    ]);
  });

  test('on the way to the value of the earlier command names that one', async () => {
    const { give, changes, report } = await openHome();
    const up = await give({ position: 80 });
    const down = await give({ position: 0 });
    changes();
    for (const position of [40, 80, 40, 0]) report('lamp', { position });
    expect(changes().map(([, by]) => by)).toEqual([up, up, down, down]);
  });

  test('of quality alone names none', async () => {
    const home = await openCommandHome([describeDevice('lamp', { staleAfterMs: 5_000 })]);
    home.report('lamp', { on: true });
    home.events.length = 0;
    await home.time.advance(6_000);
    home.registry.markStale();
    home.report('lamp', { on: true });
    const causes = home.events.flatMap((event) => (event.type === 'feature.changed' ? [event.cause] : []));
    expect(causes).toEqual([null, null]);
  });

  test('of a color on its way names the command', async () => {
    const { give, changes, report } = await openHome();
    report('lamp', { color: { x: 0.3, y: 0.3 } });
    const id = await give({ color: { x: 0.6, y: 0.3 } });
    changes();
    report('lamp', { color: { x: 0.45, y: 0.3 } });
    report('lamp', { color: { x: 0.6, y: 0.3 } });
    report('lamp', { color: { x: 0.2, y: 0.2 } });
    expect(changes().map(([, by]) => by)).toEqual([id, id, null]);
  });
});
