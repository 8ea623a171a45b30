import { expect, test } from 'vitest';
import { readDefinition } from '#integrations/zigbee2mqtt/exposes/definition.ts';
import { bindingsFromDefinition } from '#integrations/zigbee2mqtt/exposes/exposes.ts';
import { payloadFromCommand, reportFromState } from '#integrations/zigbee2mqtt/payload.ts';

function lampOf(highest: number) {
  const leaf = { type: 'numeric', name: 'brightness', property: 'brightness', access: 7, value_max: highest };
  const definition = readDefinition({ exposes: [{ type: 'light', features: [leaf] }] });
  if (definition === null) throw new Error('no definition');
  const bindings = bindingsFromDefinition(definition);
  return {
    byKey: new Map(bindings.map((binding) => [binding.feature.key, binding])),
    byProperty: new Map(bindings.map((binding) => [binding.property, binding])),
  };
}

test('a value that comes back as it was sent is the requested one, until the device has another scale', () => {
  const before = lampOf(254);
  const set = new Map([['brightness', 49.9]]);
  const built = payloadFromCommand({ externalId: 'a', set, action: null, transitionMs: null }, before.byKey);
  if ('errors' in built) throw new Error('refused');
  expect(built.payload).toEqual({ brightness: 127 });
  const readBy = (lamp: typeof before) => reportFromState(built.payload, lamp.byProperty, { sent: built.sent }).values;
  expect(readBy(before).get('brightness')).toBe(49.9);
  expect(readBy(lampOf(254)).get('brightness')).toBe(49.9);
  expect(readBy(lampOf(1000)).get('brightness')).toBe(13);
});

test.each([
  ['color_temp', ['color_temperature']],
  ['xy', ['color']],
  ['hs', ['color']],
  ['brightness', ['color', 'color_temperature']],
  [undefined, ['color', 'color_temperature']],
])('a lamp in the mode %s shows %s', (mode, shown) => {
  for (const suffix of ['', '_l1']) {
    const white = { type: 'numeric', name: 'color_temp', unit: 'mired', access: 7, value_min: 153, value_max: 500 };
    const axes = ['x', 'y'].map((name) => ({ type: 'numeric', name, property: name, access: 7 }));
    const color = { type: 'composite', name: 'color_xy', access: 7, features: axes };
    const features = [
      { ...white, property: `color_temp${suffix}` },
      { ...color, property: `color${suffix}` },
    ];
    const definition = readDefinition({ exposes: [{ type: 'light', features }] });
    if (definition === null) throw new Error('no definition');
    const byProperty = new Map(bindingsFromDefinition(definition).map((binding) => [binding.property, binding]));
    const said = { color_temp: 370, color: { x: 0.7, y: 0.3 }, ...(mode === undefined ? {} : { color_mode: mode }) };
    const state = Object.fromEntries(Object.entries(said).map(([name, value]) => [`${name}${suffix}`, value]));
    const { values } = reportFromState(state, byProperty, { sent: new Map() });
    const keys = [...byProperty.values()]
      .map(({ feature }) => feature)
      .filter(({ key }) => (values.get(key) ?? null) !== null);
    expect(keys.map(({ capability }) => capability).toSorted()).toEqual(shown);
  }
});
