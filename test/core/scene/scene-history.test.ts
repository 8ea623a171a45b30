import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonValue } from '#base/json.ts';
import { DIRECT } from '#core/cause/cause.ts';
import type { Device, DeviceId } from '#core/device/device.ts';
import type { HomeEvent } from '#core/event/event.ts';
import type { Activity, Scene } from '#core/scene/scene.ts';
import { openSceneRegistry } from '#core/scene/scene-registry.ts';
import { BRIGHTNESS, describeDevice } from '#test/support/hub/command-home.ts';
import { openDeviceHome } from '#test/support/hub/device-home.ts';
import { createFeature } from '#test/support/hub/feature.ts';
import { searchOf } from '#test/support/machine/runs.ts';

const COLOR = createFeature('color', { capability: 'color', valueType: 'color' });
const KELVIN = createFeature('color_temperature', { capability: 'color_temperature', valueType: 'number', unit: 'K' });
const FEATURES = [createFeature('on'), BRIGHTNESS, COLOR, KELVIN];
const LAMPS = ['a', 'b', 'c'];

/** The rules of the design, written again: nothing of it is kept between two looks. */
function isNear(key: string, wanted: JsonValue, value: JsonValue): boolean {
  if (key === 'on') return wanted === value;
  if (key === 'brightness') return Math.abs(Number(wanted) - Number(value)) <= 2;
  if (key === 'color_temperature') return Math.abs(Number(wanted) - Number(value)) <= 60;
  const [from, to] = [wanted as { x: number; y: number }, value as { x: number; y: number }];
  return Math.max(Math.abs(from.x - to.x), Math.abs(from.y - to.y)) < 0.0201;
}

function naiveActivity(scene: Scene, devices: readonly Device[]): Omit<Activity, 'sinceMs'> {
  const judged: string[] = [];
  for (const target of scene.targets) {
    const device = devices.find(({ id }) => id === target.deviceId);
    const keys = Object.keys(target.set).filter((key) => device?.features.some((feature) => feature.key === key));
    if (device === undefined || keys.length === 0) continue;
    const seen = keys.map((key): string => {
      const { value, quality } = device.states.get(key) ?? { value: null, quality: 'none' };
      if (quality === 'stale' || quality === 'restored' || quality === 'none') return 'unknown';
      return quality === 'confirmed' && isNear(key, target.set[key] ?? null, value) ? 'matched' : 'differs';
    });
    const values = new Set(seen);
    const isAway = device.availability.state === 'offline';
    judged.push(isAway ? 'unknown' : (['differs', 'unknown', 'matched'].find((one) => values.has(one)) ?? ''));
  }
  const count = (word: string): number => judged.filter((one) => one === word).length;
  const [matched, differs] = [count('matched'), count('differs')];
  if (differs > 0) return { state: matched > 0 ? 'partly' : 'inactive', matched, of: judged.length };
  return { state: matched > 0 && matched === judged.length ? 'active' : 'unknown', matched, of: judged.length };
}

const lamp = fc.constantFrom(...LAMPS);
// Around the edges of what a scene tolerates.
const values = fc.record(
  {
    on: fc.boolean(),
    brightness: fc.constantFrom(20, 22, 23, 50),
    color_temperature: fc.constantFrom(2700, 2760, 2761, 4000),
    color: fc.constantFrom({ x: 0.3, y: 0.3 }, { x: 0.32, y: 0.28 }, { x: 0.321, y: 0.3 }),
  },
  { requiredKeys: [] },
);
const wishes = values.filter((set) => Object.keys(set).length > 0);
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('report' as const), lamp, set: values }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('assume' as const), lamp, set: wishes }) },
  fc.record({ kind: fc.constant('drop' as const), lamp }),
  fc.record({ kind: fc.constant('offline' as const), lamp }),
  fc.record({ kind: fc.constant('online' as const), lamp }),
  fc.record({ kind: fc.constant('remove' as const), lamp }),
  fc.record({ kind: fc.constant('describe' as const), lamp, hasColor: fc.boolean() }),
  fc.record({ kind: fc.constant('wait' as const), ms: fc.constantFrom(10, 900, 1_100, 6_000) }),
  fc.record({ kind: fc.constant('edit' as const), lamp, set: wishes }),
);
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

async function openWorld() {
  const home = await openDeviceHome();
  const listeners = new Set<(event: HomeEvent) => void>();
  const changed: { id: string; atMs: number; activity: Omit<Activity, 'sinceMs'> }[] = [];
  const describe = (id: string, hasColor = true) =>
    home.reports.describeDevice(
      describeDevice(id, { features: FEATURES.filter((one) => hasColor || one !== COLOR), staleAfterMs: 5_000 }),
    );
  for (const id of LAMPS) await describe(id);
  const pump = (): void => {
    for (const event of home.events.splice(0)) for (const listener of listeners) listener(event);
  };
  pump();
  const ids = new Map(LAMPS.map((id) => [id, home.device(id).id]));
  let count = 0;
  const scenes = await openSceneRegistry({
    store: { loadScenes: async () => [], saveScene: async () => undefined, deleteScene: async () => undefined },
    devices: home.registry,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    emit: (event) => {
      if (event.type !== 'scene.changed') return;
      const { state, matched, of } = event.activity;
      changed.push({ id: event.scene.id, atMs: home.time.clock.monotonicMs(), activity: { state, matched, of } });
    },
    newId: () => `scene-${(count += 1)}`,
    clock: home.time.clock,
    startTimer: home.time.startTimer,
  });
  const targetFor = (id: string, set: object) => ({
    deviceId: ids.get(id) as DeviceId,
    selector: id,
    name: id,
    set: { ...set } as Record<string, JsonValue>,
    transitionMs: null,
  });
  const take = async (one: Step): Promise<void> => {
    if (one.kind === 'wait') {
      await home.time.advance(one.ms);
      return home.registry.markStale();
    }
    const device = home.find(one.lamp);
    if (one.kind === 'report') home.report(one.lamp, one.set);
    else if (one.kind === 'describe') await describe(one.lamp, one.hasColor);
    else if (one.kind === 'edit') {
      const scene = scenes.scenes().find(({ isBuiltIn }) => !isBuiltIn);
      if (scene === undefined) return;
      const others = scene.targets.filter(({ deviceId }) => deviceId !== ids.get(one.lamp));
      await scenes.updateScene(scene.id, { targets: [...others, targetFor(one.lamp, one.set)] });
    } else if (device === undefined) return;
    else if (one.kind === 'assume') home.registry.assumeValues(device.id, new Map(Object.entries(one.set)), DIRECT);
    else if (one.kind === 'drop') home.registry.dropAssumed(device.id, ['on', 'brightness'], DIRECT);
    else if (one.kind === 'remove') await home.registry.removeDevice(device.id);
    else home.reports.reportAvailability(one.lamp, one.kind, one.kind === 'online' ? null : 'gone');
  };
  return { home, scenes, changed, pump, take, targetFor };
}

test('whether a scene is active is right after each step of any history, and announced once a second at most', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(lamp, wishes), { minLength: 1, maxLength: 3 }),
      fc.array(fc.tuple(lamp, wishes), { minLength: 1, maxLength: 3 }),
      fc.array(step, { maxLength: 40 }),
      async (first, second, steps) => {
        const { home, scenes, changed, pump, take, targetFor } = await openWorld();
        for (const wanted of [first, second]) {
          const targets = [...new Map(wanted)].map(([id, set]) => targetFor(id, set));
          const details = { name: 'Scene', roomId: null, icon: null, transitionMs: null };
          await scenes.addScene({ ...details, targets, createdBy: null as never });
        }
        const own = (): readonly Scene[] => scenes.scenes().filter(({ isBuiltIn }) => !isBuiltIn);
        for (const one of steps) {
          await take(one);
          pump();
          for (const scene of own()) {
            const { state, matched, of } = scenes.activityOf(scene);
            expect({ state, matched, of }).toEqual(naiveActivity(scene, home.registry.devices()));
          }
        }
        await home.time.advance(1_000);
        const isEdited = steps.some(({ kind }) => kind === 'edit');
        for (const scene of isEdited ? [] : own()) {
          const seen = changed.filter(({ id }) => id === scene.id);
          const { state, matched, of } = scenes.activityOf(scene);
          const now = { state, matched, of };
          expect(seen.at(-1)?.activity ?? now).toEqual(now);
          const gaps = seen.map(({ atMs }, index) => atMs - (seen[index - 1]?.atMs ?? -Infinity));
          expect(gaps.filter((gap) => gap < 1_000)).toEqual([]);
        }
        scenes.stop();
        expect(home.time.pendingMs()).toEqual([]);
      },
    ),
    searchOf(1_000),
  );
});
