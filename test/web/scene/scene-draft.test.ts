import { expect, test } from 'vitest';
import type { Device, Feature } from '#web/client/api.ts';
import {
  isMeant,
  newTarget,
  sceneFeatures,
  wishesOf,
  withFeature,
  without,
  withTarget,
  withValue,
} from '#web/scene/scene-draft.ts';

const feature = (key: string, more: Partial<Feature> = {}): Feature => ({
  key,
  capability: key,
  component: 'main',
  kind: 'state',
  category: 'primary',
  name: key,
  value_type: 'number',
  readable: true,
  writable: true,
  unit: null,
  min: 0,
  max: 100,
  step: null,
  options: null,
  value: null,
  quality: 'confirmed',
  observed_at: null,
  changed_at: null,
  ...more,
});
const lamp = (on: boolean | null): Device =>
  ({
    id: 'lamp',
    selector: 'lamp',
    name: 'Lamp',
    features: [
      feature('on', { value_type: 'boolean', value: on }),
      feature('brightness', { value: 40 }),
      feature('color_temperature', { value: 2700 }),
      feature('color', { value_type: 'color' }),
      feature('identify', { kind: 'action', value_type: 'none' }),
      feature('power', { writable: false, value: 3 }),
      feature('power_on_behavior', { category: 'config', value_type: 'enum' }),
    ],
  }) as unknown as Device;

test('a scene can set what is written every day, and no action, reading or setting of the device', () => {
  expect(sceneFeatures(lamp(true)).map(({ key }) => key)).toEqual(['on', 'brightness', 'color_temperature', 'color']);
});

test.each([
  [true, { on: true, brightness: 40 }],
  [false, { on: false }],
  [null, { on: false }],
])('a lamp that is %s is added as it is now', (on, set) => {
  expect(newTarget(lamp(on)).set).toEqual(set);
});

test('a device without a switch is added with its position', () => {
  const blind = { ...lamp(null), features: [feature('tilt'), feature('position', { value: 70 })] };
  expect(newTarget(blind).set).toEqual({ position: 70 });
});

test('a color takes the place of a color temperature, and of nothing else', () => {
  const device = lamp(true);
  const color = device.features.find(({ key }) => key === 'color');
  if (color === undefined) throw new Error('the lamp has a color');
  const set = withFeature({ on: true, color_temperature: 2700 }, device, color);
  expect(Object.keys(set)).toEqual(['on', 'color']);
  expect(set['color']).toBeTypeOf('object');
});

test('what is left out, and what means nothing while the lamp is off, is not sent', () => {
  const device = lamp(true);
  const target = { ...newTarget(device), set: { on: false, brightness: 40 }, transitionMs: 500 };
  const find = (id: string): Device | undefined => (id === 'lamp' ? device : undefined);
  expect(wishesOf([target, { ...target, isIn: false }], find)).toEqual([
    { device: 'lamp', set: { on: false }, transition_ms: 500 },
  ]);
  expect(isMeant(device, { on: true, brightness: 40 }, 'brightness')).toBe(true);
});

test('a device that the home no longer has stays as it was', () => {
  const gone = { device: { id: 'gone', selector: 'gone', name: 'Gone' }, set: { on: false, brightness: 9 } };
  expect(wishesOf([{ ...gone, transitionMs: null, isIn: true }], () => undefined)).toEqual([
    { device: 'gone', set: { on: false, brightness: 9 }, transition_ms: null },
  ]);
});

test('what a stepper says late changes its own value alone, and nothing of what was taken out', () => {
  const device = (id: string) => ({ id, selector: id, name: id });
  const heater = { device: device('heater'), set: { target: 20, on: true }, transitionMs: null, isIn: true };
  const fan = { ...heater, device: device('fan'), isIn: false };
  const late = withTarget([heater, fan], 'heater', (now) => ({ ...now, set: withValue(now.set, 'target', 21) }));
  expect(late).toEqual([{ ...heater, set: { target: 21, on: true } }, fan]);
  expect(withValue(without(heater.set, 'target'), 'target', 21)).toEqual({ on: true });
});
