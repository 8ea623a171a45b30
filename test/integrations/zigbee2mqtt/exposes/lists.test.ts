import { expect, test } from 'vitest';
import type { JsonValue } from '#base/json.ts';
import { VOCABULARY } from '#core/feature/vocabulary.ts';
import { capabilitiesOfName } from '#integrations/zigbee2mqtt/exposes/capabilities.ts';
import { valueFromWire } from '#integrations/zigbee2mqtt/exposes/conversion.ts';
import { type Expose, readDefinition } from '#integrations/zigbee2mqtt/exposes/definition.ts';
import { bindingsFromDefinition } from '#integrations/zigbee2mqtt/exposes/exposes.ts';
import { deviceEntryTexts } from '#test/support/peers/device-definitions.ts';
import { wrongMeanings } from '#test/support/kinds/peer-list.ts';

type Entry = { readonly definition: unknown };

/** An enum that has the name of something that is true or false. */
function isTruth({ type, name }: Expose): boolean {
  return type === 'enum' && capabilitiesOfName(null, name).some(({ word }) => VOCABULARY[word].valueType === 'boolean');
}

/** What each word of such an enum means in zigbee-herdsman-converters 26.105.0: `window_open=closed`. */
function meanings(): ReadonlyMap<string, JsonValue | undefined> {
  const found = new Map<string, JsonValue | undefined>();
  for (const text of deviceEntryTexts()) {
    const definition = readDefinition((JSON.parse(text) as Entry).definition);
    const exposes = definition?.exposes.filter(isTruth) ?? [];
    if (definition === null || exposes.length === 0) continue;
    const byProperty = new Map(bindingsFromDefinition(definition).map((binding) => [binding.property, binding]));
    for (const { name, property, values } of exposes) {
      const conversion = byProperty.get(property ?? name)?.conversion;
      for (const value of values) {
        if (typeof value !== 'string') continue;
        const meaning = conversion?.kind === 'truth' ? valueFromWire(conversion, value) : undefined;
        found.set(`${name}=${value}`, meaning);
      }
    }
  }
  return found;
}

const KNOWN: Readonly<Record<string, JsonValue>> = {
  'ac_connected=connected': true,
  'ac_connected=connected_with_issues': true,
  'ac_connected=disconnected': false,
  'ac_connected=invalid_data_recieved': null,
  'child_lock=locked': true,
  'child_lock=unlocked': false,
  'keypad_lockout=level_1': true,
  'keypad_lockout=level_2': true,
  'keypad_lockout=lock': true,
  'keypad_lockout=lock1': true,
  'keypad_lockout=lock2': true,
  'keypad_lockout=lock3': true,
  'keypad_lockout=no_lockout': false,
  'keypad_lockout=unlock': false,
  'opening_state=closed': false,
  'opening_state=open': true,
  'opening_state=tilted': true,
};

test('each word of what is true or false is one of both, or nobody knows which', () => {
  const found = meanings();
  const own = [...found.keys()].filter((name) => /^(?:alarm|fault|vibration)=/.test(name));
  const leftOut = [{ of: own, why: 'they say what is wrong, how to ring, or how much: an enum with its own words' }];
  expect(wrongMeanings<JsonValue>(found.keys(), { known: KNOWN, leftOut }, (name) => found.get(name))).toEqual([]);
});
