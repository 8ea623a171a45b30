import { setImmediate as turnOfOthers } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { DEVICE_TYPES, type Device } from '#core/device/device.ts';
import type { HomeEvent } from '#core/event/event.ts';
import { isInAllOff } from '#core/scene/all-off.ts';
import { openSceneRegistry } from '#core/scene/scene-registry.ts';
import { describeDevice } from '#test/support/hub/command-home.ts';
import { openDeviceHome } from '#test/support/hub/device-home.ts';
import { createFeature } from '#test/support/hub/feature.ts';

const LAMPS = Array.from({ length: 60 }, (_, index) => `lamp-${index}`);

/** A home in which each look at the clock takes a millisecond, so that long work has many turns. */
async function openLargeHome() {
  const home = await openDeviceHome();
  for (const lamp of LAMPS) await home.reports.describeDevice(describeDevice(lamp));
  home.events.length = 0;
  let looks = 0;
  const listeners = new Set<(event: HomeEvent) => void>();
  const announced: HomeEvent[] = [];
  const scenes = await openSceneRegistry({
    store: { loadScenes: async () => [], saveScene: async () => undefined, deleteScene: async () => undefined },
    devices: home.registry,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    emit: (event) => void announced.push(event),
    newId: () => 'scene',
    clock: { ...home.time.clock, monotonicMs: () => home.time.clock.monotonicMs() + (looks += 1) },
    startTimer: home.time.startTimer,
  });
  const pump = (): void => {
    for (const event of home.events.splice(0)) for (const listener of listeners) listener(event);
  };
  const allOff = () => {
    const scene = scenes.findScene('all-off');
    if (scene === undefined) throw new Error('there is no built-in scene');
    const { state, matched, of } = scenes.activityOf(scene);
    return { names: scene.targets.map(({ name }) => name), activity: { state, matched, of } };
  };
  return { home, scenes, announced, pump, allOff };
}

test('a large home has its new scene at once, follows it in many turns, and what was switched between them counts', async () => {
  const { home, scenes, pump, allOff } = await openLargeHome();
  await home.reports.describeDevice(describeDevice('a-new-lamp', { name: 'A new lamp' }));
  pump();
  expect(allOff().names).toContain('A new lamp');
  await home.time.advance(1_000);
  expect(allOff().activity.of).toBe(LAMPS.length);
  const isOff = new Map<string, boolean>();
  for (let turn = 0; turn < 100; turn += 1) {
    const lamp = LAMPS[(turn * 7) % LAMPS.length] ?? '';
    isOff.set(lamp, turn % 3 > 0);
    home.report(lamp, { on: turn % 3 === 0 });
    pump();
    await turnOfOthers();
  }
  const matched = [...isOff.values()].filter(Boolean).length;
  expect(allOff().activity).toEqual({ state: 'partly', matched, of: LAMPS.length + 1 });
  scenes.stop();
});

test('changes that come while it is renewed renew it again', async () => {
  const { home, scenes, pump, allOff } = await openLargeHome();
  for (const name of ['First', 'Second']) {
    await home.reports.describeDevice(describeDevice(name));
    pump();
    if (name === 'First') await home.time.advance(1_000);
  }
  for (let turn = 0; turn < 50; turn += 1) await turnOfOthers();
  await home.time.advance(1_000);
  for (let turn = 0; turn < 50; turn += 1) await turnOfOthers();
  expect(allOff().names).toHaveLength(LAMPS.length + 2);
  scenes.stop();
  expect(home.time.pendingMs()).toEqual([]);
});

test('nothing is left of one that is stopped while it is renewed', async () => {
  const { home, scenes, announced, pump } = await openLargeHome();
  for (const lamp of LAMPS) home.report(lamp, { on: true });
  await home.reports.describeDevice(describeDevice('a-new-lamp'));
  pump();
  await home.time.advance(1_000);
  scenes.stop();
  const before = announced.length;
  for (let turn = 0; turn < 50; turn += 1) await turnOfOthers();
  expect(home.time.pendingMs()).toEqual([]);
  expect(announced).toHaveLength(before);
});

const BY_TYPE = ['on_off_light', 'dimmable_light', 'color_temperature_light', 'extended_color_light', 'fan'];
const reached = (facts: Partial<Device>): readonly string[] =>
  DEVICE_TYPES.filter((type) => isInAllOff({ ...describeDevice('one'), type, ...facts } as Device));

test('it reaches lights and fans by their type, and whatever plays; all else only if a person chose it', () => {
  expect(reached({})).toEqual(BY_TYPE);
  expect(reached({ icon: 'light' })).toEqual([...BY_TYPE.slice(0, 4), 'on_off_plug_in_unit', 'fan']);
  expect(reached({ icon: 'plug' })).toEqual(BY_TYPE);
  expect(reached({ features: [createFeature('on'), createFeature('playback', { capability: 'playback' })] })).toEqual(
    DEVICE_TYPES,
  );
  expect(reached({ isLeftOn: false })).toEqual(DEVICE_TYPES);
  expect(
    reached({ isLeftOn: true, icon: 'light', features: [createFeature('playback', { capability: 'playback' })] }),
  ).toEqual([]);
});
