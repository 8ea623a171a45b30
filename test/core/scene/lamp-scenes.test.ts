import { expect, test } from 'vitest';
import type { JsonObject } from '#base/json.ts';
import { captureTargets, recaptureTargets, targetOf } from '#core/scene/scene-capture.ts';
import { matchTarget } from '#core/scene/scene-match.ts';
import { planScene } from '#core/scene/scene-plan.ts';
import { openDeviceHome, lamp } from '#test/support/hub/device-home.ts';
import { createFeature } from '#test/support/hub/feature.ts';

const RED = { x: 0.7, y: 0.3 };
const FEATURES = [
  createFeature('on'),
  createFeature('color', { capability: 'color', valueType: 'color' }),
  createFeature('effect', { capability: 'effect', valueType: 'enum', options: ['blink'], readable: false }),
  createFeature('color_temperature', { capability: 'color_temperature', valueType: 'number', unit: 'K' }),
];

/** A lamp that tells its color only in the way in which it has it. */
async function openLamp() {
  const home = await openDeviceHome();
  await home.reports.syncDevices([lamp('a', { features: FEATURES })]);
  const report = async (values: JsonObject): Promise<void> => {
    await home.time.advance(1_000);
    home.report('a', values);
  };
  const device = () => home.device('a');
  const sent = (set: JsonObject) => {
    const scene = { targets: [targetOf(device(), set)], transitionMs: null };
    const given = { findDevice: () => device(), isBusy: () => false, force: false, transitionMs: null };
    return [...planScene(scene, given).requests.values()].map(({ set }) => set);
  };
  const captured = () => {
    const { targets, skipped } = captureTargets([device()], { keys: null, nowMs: home.time.clock.wallMs() });
    return [targets.map(({ set }) => set), skipped.map(({ key }) => key)];
  };
  return { home, report, device, sent, captured };
}

test('a scene sends the white that a lamp had before it became red', async () => {
  const { report, device, sent } = await openLamp();
  const set = { on: true, color_temperature: 2700 };
  await report({ on: true, color_temperature: 2700 });
  expect(sent(set)).toEqual([]);
  await report({ on: true, color: RED });
  expect(sent(set)).toEqual([set]);
  expect(matchTarget(targetOf(device(), set), device())).toBe('unknown');
  await report({ on: true, color_temperature: 2700 });
  expect(sent(set)).toEqual([]);
  expect(sent({ on: true, color: RED })).toEqual([{ on: true, color: RED }]);
});

test('a lamp that tells both of its ways at once shows both', async () => {
  const { report, sent } = await openLamp();
  await report({ on: true, color: RED, color_temperature: 2700 });
  expect([sent({ color: RED }), sent({ color_temperature: 2700 })]).toEqual([[], []]);
});

test('a scene of a lamp that became red has no white, and leaves nothing out', async () => {
  const { home, report, device, captured } = await openLamp();
  await report({ on: true, color_temperature: 2700 });
  await report({ on: true, color: RED });
  expect(captured()).toEqual([[{ on: true, color: RED }], []]);
  const old = [targetOf(device(), { on: true, color_temperature: 2700 })];
  const { targets } = recaptureTargets(old, [device()], { keys: null, nowMs: home.time.clock.wallMs() });
  expect(targets.map(({ set }) => set)).toEqual([{ on: true, color: RED }]);
  await report({ on: true, color_temperature: 2700 });
  expect(captured()).toEqual([[{ on: true, color_temperature: 2700 }], []]);
});

test('what a lamp never reports is sent each time, with what else the scene wants of it', async () => {
  const { report, sent } = await openLamp();
  await report({ on: true });
  expect(sent({ on: true })).toEqual([]);
  expect(sent({ on: true, effect: 'blink' })).toEqual([{ on: true, effect: 'blink' }]);
});
