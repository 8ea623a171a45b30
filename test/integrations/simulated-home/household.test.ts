import { describe, expect, test } from 'vitest';
import type { JsonValue } from '#base/json.ts';
import { findValueErrors } from '#core/feature/feature-value.ts';
import { isVocabularyWord, VOCABULARY } from '#core/feature/vocabulary.ts';
import type { DeviceCommand } from '#core/command/command-way.ts';
import { createHousehold } from '#integrations/simulated-home/household.ts';
import { INVENTORY } from '#integrations/simulated-home/inventory.ts';
import { createRecordingLog } from '#test/support/hub/recording-log.ts';
import { createDice } from '#test/support/machine/dice.ts';
import { createManualTime } from '#test/support/machine/manual-time.ts';

const HOUR = 3_600_000;

type Heard = { readonly atMs: number; readonly id: string; readonly what: string; readonly value: JsonValue };

/** A household with all its reports. */
function createHarness(seed = 1) {
  const time = createManualTime();
  let timersSet = 0;
  const household = createHousehold({
    clock: time.clock,
    log: createRecordingLog().log,
    random: createDice(seed),
    startTimer: (afterMs, run) => {
      timersSet += 1;
      return time.startTimer(afterMs, run);
    },
  });
  const heard: Heard[] = [];
  const hear = (id: string, what: string, value: JsonValue): void => {
    heard.push({ atMs: time.clock.monotonicMs(), id, what, value });
  };
  const leave = household.listen({
    reportValues: (id, values) => values.forEach((value, key) => hear(id, key, value)),
    reportOccurrence: (id, key, occurrence) => hear(id, key, occurrence),
    reportAvailability: (id, state, reason) => hear(id, 'availability', `${state} ${reason}`),
    onLink: () => undefined,
  });
  const perform = (externalId: string, set: Record<string, JsonValue>, transitionMs: number | null = null): void => {
    const command: DeviceCommand = { externalId, set: new Map(Object.entries(set)), action: null, transitionMs };
    household.perform(command);
  };
  const heardOf = (id: string, what: string): Heard[] => heard.filter((one) => one.id === id && one.what === what);
  const valuesOf = (id: string, what: string): JsonValue[] => heardOf(id, what).map(({ value }) => value);
  const advanceUntil = async (isSo: () => boolean): Promise<void> => {
    for (let second = 0; second < 24 * 3600 && !isSo(); second += 1) await time.advance(1000);
    expect(isSo()).toBe(true);
  };
  return { time, household, heard, heardOf, valuesOf, perform, leave, advanceUntil, timersSet: () => timersSet };
}

describe('the inventory', () => {
  test('has more than a dozen devices in four rooms, each with its own id and name', () => {
    const descriptions = INVENTORY.map(({ description }) => description);
    expect(descriptions.length).toBeGreaterThanOrEqual(12);
    expect(new Set(INVENTORY.map(({ room }) => room)).size).toBe(4);
    expect(new Set(descriptions.map(({ externalId }) => externalId)).size).toBe(descriptions.length);
    expect(new Set(descriptions.map(({ name }) => name)).size).toBe(descriptions.length);
  });

  test.each(INVENTORY.map(({ description }) => [description.name, description] as const))(
    '%s speaks the vocabulary',
    (_, { features }) => {
      for (const feature of features) {
        const word = isVocabularyWord(feature.capability) ? VOCABULARY[feature.capability] : undefined;
        expect(word).toMatchObject({ kind: feature.kind, valueType: feature.valueType });
        expect(feature.unit).toBe(feature.capability === 'calibration' ? 'celsius' : word?.unit);
        expect(feature.valueType !== 'enum' || (feature.options ?? []).length > 0).toBe(true);
      }
    },
  );

  test('starts with values for all that can be read', () => {
    for (const { description, initial } of INVENTORY) {
      const readable = description.features.filter((feature) => feature.kind === 'state' && feature.readable);
      expect([...initial.keys()].toSorted()).toEqual(readable.map(({ key }) => key).toSorted());
    }
  });
});

describe('a command', () => {
  test('shows at a lamp after 50 to 150 ms', async () => {
    const { perform, heardOf, time } = createHarness();
    perform('bedroom-bedside', { brightness: 60.4 });
    await time.advance(50);
    expect(heardOf('bedroom-bedside', 'brightness')).toHaveLength(1);
    await time.advance(100);
    expect(heardOf('bedroom-bedside', 'brightness').at(-1)?.value).toBe(60);
    expect(heardOf('bedroom-bedside', 'on').at(-1)?.value).toBe(true);
  });

  test('with a transition switches at once and reaches the brightness at its end', async () => {
    const { perform, valuesOf, time } = createHarness();
    perform('bedroom-bedside', { brightness: 90 }, 5000);
    await time.advance(1000);
    expect(valuesOf('bedroom-bedside', 'on').at(-1)).toBe(true);
    expect(valuesOf('bedroom-bedside', 'brightness').at(-1)).toBe(30);
    await time.advance(4200);
    expect(valuesOf('bedroom-bedside', 'brightness').at(-1)).toBe(90);
  });

  test('ends the transition of an earlier one', async () => {
    const { perform, valuesOf, time } = createHarness();
    perform('bedroom-bedside', { brightness: 90 }, 5000);
    await time.advance(1000);
    perform('bedroom-bedside', { brightness: 10 });
    await time.advance(10_000);
    expect(valuesOf('bedroom-bedside', 'brightness')).toEqual([30, 10]);
  });

  test('moves the blind, which reports its position every second', async () => {
    const { perform, valuesOf, time } = createHarness();
    perform('living-room-blind', { position: 72 });
    await time.advance(10_000);
    expect(valuesOf('living-room-blind', 'position')).toEqual([100, 100, 95, 90, 85, 80, 75, 72]);
    expect(valuesOf('living-room-blind', 'cover_state')).toEqual(['open', 'close', 'open']);
  });

  test('stops the blind where it is, or moves it elsewhere from there', async () => {
    const { perform, valuesOf, time } = createHarness();
    perform('living-room-blind', { cover_state: 'close' });
    await time.advance(5500);
    perform('living-room-blind', { cover_state: 'stop' });
    await time.advance(60_000);
    expect(valuesOf('living-room-blind', 'position').at(-1)).toBe(75);
    expect(valuesOf('living-room-blind', 'cover_state').at(-1)).toBe('stop');
    perform('living-room-blind', { position: 85 });
    await time.advance(60_000);
    expect(valuesOf('living-room-blind', 'position').slice(-4)).toEqual([75, 75, 80, 85]);
  });

  test('turns the bolt in about a second', async () => {
    const { perform, valuesOf, time } = createHarness();
    perform('hallway-front-door', { locked: false });
    await time.advance(1500);
    expect(valuesOf('hallway-front-door', 'lock_state')).toEqual(['locked', 'not_fully_locked', 'unlocked']);
    expect(valuesOf('hallway-front-door', 'locked').at(-1)).toBe(false);
  });

  test('to an absent device, or while the link is cut, is refused', () => {
    const { perform, household } = createHarness();
    expect(() => perform('attic-lamp', { on: true })).toThrow(expect.objectContaining({ code: 'NOT_FOUND' }));
    household.setLink(false);
    expect(() => perform('kitchen-ceiling', { on: true })).toThrow(
      expect.objectContaining({ code: 'INTEGRATION_DOWN' }),
    );
  });
});

describe('life goes on by itself', () => {
  test('the thermostat makes the room slowly follow the target temperature', async () => {
    const { perform, valuesOf, time } = createHarness();
    perform('living-room-thermostat', { target_temperature: 24 });
    await time.advance(3 * HOUR);
    const warm = valuesOf('living-room-thermostat', 'temperature').filter((value) => typeof value === 'number');
    expect(Math.abs((warm.at(-1) ?? 0) - 24)).toBeLessThan(1);
    const jumps = warm.slice(1).map((value, index) => Math.abs(value - (warm[index] ?? 0)));
    expect(Math.max(...jumps)).toBeLessThan(0.3);
    perform('living-room-thermostat', { thermostat_mode: 'off' });
    await time.advance(3 * HOUR);
    expect(valuesOf('living-room-thermostat', 'temperature').at(-1)).toBeLessThan(21);
    expect(valuesOf('living-room-thermostat', 'thermostat_state').at(-1)).toBe('idle');
  });

  test('the meter counts up while the plug is on and stands still while it is off', async () => {
    const { perform, valuesOf, time } = createHarness();
    await time.advance(HOUR);
    const energy = valuesOf('kitchen-fridge', 'energy').filter((value) => typeof value === 'number');
    expect(energy).toEqual(energy.toSorted((left, right) => left - right));
    expect((energy.at(-1) ?? 0) - (energy[0] ?? 0)).toBeCloseTo(0.09, 1);
    perform('kitchen-fridge', { on: false });
    await time.advance(2000);
    const count = valuesOf('kitchen-fridge', 'energy').length;
    expect(valuesOf('kitchen-fridge', 'power').at(-1)).toBe(0);
    await time.advance(HOUR);
    expect(valuesOf('kitchen-fridge', 'energy')).toHaveLength(count);
  });

  test('within a day a person walks by, airs the bedroom, presses the remote and wets the sink', async () => {
    const { valuesOf, time } = createHarness();
    await time.advance(24 * HOUR);
    for (const [id, key] of [
      ['hallway-motion', 'motion'],
      ['bedroom-window', 'open'],
      ['kitchen-leak', 'water_leak'],
    ] as const) {
      expect(new Set(valuesOf(id, key))).toEqual(new Set([true, false]));
    }
    const actions = valuesOf('living-room-remote', 'button').map((value) => (value as { action: string }).action);
    expect(new Set(actions)).toEqual(new Set(['single', 'double', 'hold', 'release']));
  });

  test.each([1, 2, 3])('a day with dice %i reports only values that the features allow', async (seed) => {
    const { heard, time } = createHarness(seed);
    await time.advance(24 * HOUR);
    const wrong = heard.flatMap(({ id, what, value }): unknown[] => {
      const features = INVENTORY.find(({ description }) => description.externalId === id)?.description.features ?? [];
      const feature = features.find(({ key }) => key === what);
      if (what === 'availability' || feature?.kind === 'event') return [];
      return feature?.readable === true ? findValueErrors(feature, value, what) : [`${id} has no ${what}`];
    });
    expect(wrong).toEqual([]);
    expect(heard.length).toBeGreaterThan(1000);
  });

  test('the same dice give the same day, other dice another one', async () => {
    const [one, again, other] = [createHarness(7), createHarness(7), createHarness(8)];
    for (const { time } of [one, again, other]) await time.advance(HOUR);
    expect(again.heard).toEqual(one.heard);
    expect(other.heard).not.toEqual(one.heard);
  });
});

describe('a sleepy device', () => {
  test('sleeps, wakes within 75 s for three seconds, and takes commands only then', async () => {
    const { perform, heardOf, valuesOf, time, advanceUntil } = createHarness();
    expect(valuesOf('bedroom-climate', 'availability')).toEqual(['asleep asleep']);
    const request = { calibration: 1.5 };
    expect(() => perform('bedroom-climate', request)).toThrow(expect.objectContaining({ code: 'DEVICE_OFFLINE' }));
    await advanceUntil(() => valuesOf('bedroom-climate', 'availability').length === 2);
    expect(time.clock.monotonicMs()).toBeLessThanOrEqual(75_000);
    expect(valuesOf('bedroom-climate', 'availability').at(-1)).toBe('online null');
    perform('bedroom-climate', request);
    await time.advance(3000);
    expect(valuesOf('bedroom-climate', 'calibration').at(-1)).toBe(1.5);
    const [, awake, asleep] = heardOf('bedroom-climate', 'availability');
    expect((asleep?.atMs ?? 0) - (awake?.atMs ?? 0)).toBe(3000);
  });
});

describe('a device that is cut off now and then', () => {
  test('is offline with a reason, takes no commands, and reports all its values when it comes back', async () => {
    const { perform, valuesOf, advanceUntil } = createHarness();
    await advanceUntil(() => valuesOf('hallway-ceiling', 'availability').length === 2);
    expect(valuesOf('hallway-ceiling', 'availability').at(-1)).toBe('offline no_response');
    expect(() => perform('hallway-ceiling', { on: true })).toThrow(expect.objectContaining({ code: 'DEVICE_OFFLINE' }));
    await advanceUntil(() => valuesOf('hallway-ceiling', 'availability').length === 3);
    expect(valuesOf('hallway-ceiling', 'availability').at(-1)).toBe('online null');
    expect(valuesOf('hallway-ceiling', 'on')).toEqual([false, true]);
  });
});

test('an idle home has one timer, wakes a few times a minute, and leaves none when it ends', async () => {
  const { time, timersSet, leave, household } = createHarness();
  expect(time.pendingMs()).toHaveLength(1);
  const before = timersSet();
  await time.advance(HOUR);
  expect(time.pendingMs()).toHaveLength(1);
  expect((timersSet() - before) / 60).toBeLessThan(15);
  leave();
  expect(time.pendingMs()).toEqual([]);
  expect(() =>
    household.perform({ externalId: 'kitchen-ceiling', set: new Map(), action: null, transitionMs: null }),
  ).toThrow(expect.objectContaining({ code: 'INTEGRATION_DOWN' }));
});
