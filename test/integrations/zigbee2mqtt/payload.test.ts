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
  const readBy = (lamp: typeof before) => reportFromState(built.payload, lamp.byProperty, built.sent).values;
  expect(readBy(before).get('brightness')).toBe(49.9);
  expect(readBy(lampOf(254)).get('brightness')).toBe(49.9);
  expect(readBy(lampOf(1000)).get('brightness')).toBe(13);
});
