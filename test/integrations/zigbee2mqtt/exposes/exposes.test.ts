import { describe, expect, test } from 'vitest';
import { VOCABULARY, isVocabularyWord } from '#core/feature/vocabulary.ts';
import { UNITS } from '#core/feature/value-type.ts';
import { readDefinition, type Definition } from '#integrations/zigbee2mqtt/exposes/definition.ts';
import { deviceTypeOf } from '#integrations/zigbee2mqtt/inventory/known-device.ts';
import { bindingsFromDefinition, type Binding } from '#integrations/zigbee2mqtt/exposes/exposes.ts';
import { deviceEntry, deviceEntryTexts } from '#test/support/peers/device-definitions.ts';

type Entry = { readonly friendly_name: string; readonly definition: { readonly exposes: readonly RawExpose[] } };
type RawExpose = {
  readonly type: string;
  readonly property?: string;
  readonly features?: readonly RawExpose[];
  readonly access?: number;
};

const PARENTS = new Set(['light', 'switch', 'cover', 'lock', 'fan', 'climate']);
const entries = deviceEntryTexts().map((text) => JSON.parse(text) as Entry);

function definitionOf(entry: { readonly definition?: unknown }): Definition {
  const definition = readDefinition(entry.definition);
  if (definition === null) throw new Error('no definition');
  return definition;
}

/** Counted in the raw data, not with the code under test. */
function rawLeaves(entry: Entry): readonly RawExpose[] {
  return entry.definition.exposes.flatMap((expose) => (PARENTS.has(expose.type) ? (expose.features ?? []) : [expose]));
}

function bindingsOf(name: string): Map<string, Binding> {
  return new Map(
    bindingsFromDefinition(definitionOf(deviceEntry(name))).map((binding) => [binding.feature.key, binding]),
  );
}

describe('all 4,478 definitions', () => {
  const all = entries.map((entry) => {
    const definition = definitionOf(entry);
    return { entry, definition, bindings: bindingsFromDefinition(definition) };
  });

  test('each leaf has a feature address', () => {
    let leaves = 0;
    const dropped: string[] = [];
    for (const { entry, bindings } of all) {
      const properties = new Set(bindings.map((binding) => binding.property));
      for (const leaf of rawLeaves(entry)) {
        leaves += 1;
        if (!properties.has(leaf.property ?? '')) dropped.push(`${entry.friendly_name} ${leaf.property}`);
      }
    }
    expect(dropped).toEqual([]);
    expect(leaves).toBe(39_541);
  });

  test('at least 72 % of the leaves have a word of the vocabulary', () => {
    let typed = 0;
    for (const { entry, bindings } of all) {
      const byProperty = new Map(bindings.map((binding) => [binding.property, binding]));
      for (const leaf of rawLeaves(entry)) {
        if (isVocabularyWord(byProperty.get(leaf.property ?? '')?.feature.capability ?? '')) typed += 1;
      }
    }
    process.stdout.write(`typed leaves: ${typed} of 39541 (${((typed / 39_541) * 100).toFixed(2)} %)\n`);
    expect(typed / 39_541).toBeGreaterThanOrEqual(0.72);
  });

  test('keys are unique in each device and made of safe characters', () => {
    const keysOf = (bindings: readonly Binding[]): string[] => bindings.map((binding) => binding.feature.key);
    expect(all.filter(({ bindings }) => new Set(keysOf(bindings)).size < bindings.length)).toEqual([]);
    expect(all.flatMap(({ bindings }) => keysOf(bindings)).filter((key) => !/^[A-Za-z0-9_.-]+$/.test(key))).toEqual([]);
  });

  test('keys do not depend on the order of the exposes', () => {
    for (const { definition, bindings } of all) {
      const reversed = bindingsFromDefinition({ ...definition, exposes: definition.exposes.toReversed() });
      const keys = new Map(reversed.map((binding) => [binding.property, binding.feature.key]));
      const moved = bindings.filter((binding) => keys.get(binding.property) !== binding.feature.key);
      expect(moved).toEqual([]);
    }
  });

  test('a word always has its own value type, unit and kind', () => {
    const wrong = all
      .flatMap(({ bindings }) => bindings.map((binding) => binding.feature))
      .filter(({ capability, kind, valueType, unit }) => {
        if (!isVocabularyWord(capability)) return false;
        const entry = VOCABULARY[capability];
        const isFree = entry.valueType === 'any' || capability === 'infrared_send';
        const hasType = isFree || valueType === entry.valueType;
        return kind !== entry.kind || !hasType || (!isFree && capability !== 'calibration' && unit !== entry.unit);
      });
    expect(wrong).toEqual([]);
  });

  test('a feature that can only be set is writable and not readable', () => {
    let setOnly = 0;
    for (const { entry, bindings } of all) {
      const access = new Map<string, number>();
      for (const leaf of rawLeaves(entry)) {
        access.set(leaf.property ?? '', (access.get(leaf.property ?? '') ?? 0) | (leaf.access ?? 0));
      }
      for (const { feature, property } of bindings) {
        if (access.get(property) !== 2) continue;
        setOnly += 1;
        expect([feature.writable, feature.readable], `${entry.friendly_name} ${property}`).toEqual([true, false]);
      }
    }
    expect(setOnly).toBe(3_014);
  });

  test('ranges have their ends in order, and units have one spelling', () => {
    const features = all.flatMap(({ bindings }) => bindings.map((binding) => binding.feature));
    const units = new Set(features.flatMap(({ unit }) => (unit === null ? [] : [unit])));
    expect(features.filter(({ min, max }) => min !== null && max !== null && min > max)).toEqual([]);
    expect(units.size).toBeLessThan(75);
    expect(
      [...units].filter((unit) => ['%', '°C', 'lux', 'sec', 'Hours', 'VAR', 'm³', 'µg/m³'].includes(unit)),
    ).toEqual([]);
    expect([...units]).toEqual(expect.arrayContaining(['percent', 'celsius', 'lx', 'hPa', 'K']));
    expect(UNITS.filter((unit) => units.has(unit)).length).toBeGreaterThan(20);
  });

  test('the devices have many types, and few have none', () => {
    const types = new Map<string, number>();
    for (const { definition, bindings } of all) {
      const type = deviceTypeOf(definition, bindings);
      types.set(type, (types.get(type) ?? 0) + 1);
    }
    expect(types.get('other') ?? 0).toBeLessThan(300);
    expect(types.size).toBeGreaterThan(18);
  });
});

describe('one definition', () => {
  test('a color bulb has the words of a light, in the units of the vocabulary', () => {
    const bindings = bindingsOf('IKEA/LED1624G9');
    const summary = [...bindings.values()].map(({ feature }) => [
      feature.key,
      feature.valueType,
      feature.unit,
      feature.min,
      feature.max,
    ]);
    expect(summary).toEqual(
      expect.arrayContaining([
        ['on', 'boolean', null, null, null],
        ['brightness', 'number', 'percent', 0, 100],
        ['color_temperature', 'number', 'K', expect.any(Number), expect.any(Number)],
        ['color', 'color', null, null, null],
      ]),
    );
    const range = bindings.get('color_temperature')?.feature;
    expect(range?.min).toBeLessThan(range?.max ?? 0);
  });

  test('endpoints become components, addressed by property', () => {
    const definition = readDefinition({
      exposes: ['left', 'right'].map((endpoint) => ({
        type: 'switch',
        endpoint,
        features: [
          {
            type: 'binary',
            name: 'state',
            property: `state_${endpoint}`,
            endpoint,
            access: 7,
            value_on: 'ON',
            value_off: 'OFF',
          },
        ],
      })),
    });
    const bindings = definition === null ? [] : bindingsFromDefinition(definition);
    expect(bindings.map(({ feature, property }) => [feature.key, feature.component, property])).toEqual([
      ['left.on', 'left', 'state_left'],
      ['right.on', 'right', 'state_right'],
    ]);
  });

  test('of several properties with one capability the first in the order of names gets the plain key', () => {
    const numeric = (name: string): unknown => ({ type: 'numeric', name, property: name, access: 1, unit: 'W' });
    const keysOf = (names: readonly string[]): unknown => {
      const definition = readDefinition({ exposes: names.map(numeric) });
      return Object.fromEntries(
        (definition === null ? [] : bindingsFromDefinition(definition)).map(({ property, feature }) => [
          property,
          feature.key,
        ]),
      );
    };
    const keys = { power: 'power', power_a: 'power.power_a', power_b: 'power.power_b' };
    expect(keysOf(['power_b', 'power', 'power_a'])).toEqual(keys);
    // A definition that grows does not rename earlier features.
    expect(keysOf(['power_b', 'power', 'power_a', 'power_c'])).toMatchObject(keys);
  });

  test.each([
    [
      'a word with a foreign type stays generic',
      { type: 'composite', name: 'warning', property: 'warning', access: 2, features: [] },
      'x.warning',
      'object',
    ],
    [
      'a word with a foreign unit stays generic',
      { type: 'numeric', name: 'voc', property: 'voc', access: 1, unit: 'µg/m³' },
      'x.voc',
      'number',
    ],
    [
      'a type that is not known yet is kept as it is',
      { type: 'hologram', name: 'aura', property: 'aura', access: 1 },
      'x.aura',
      'any',
    ],
  ])('%s', (...[, expose, key, valueType]) => {
    const definition = readDefinition({ exposes: [expose] });
    const [binding] = definition === null ? [] : bindingsFromDefinition(definition);
    expect([binding?.feature.key, binding?.feature.valueType]).toEqual([key, valueType]);
  });

  test('composites and lists keep their structure as a schema', () => {
    const lock = bindingsOf('Yale/YRD426NRSC').get('x.pin_code');
    expect(lock?.feature.schema).toMatchObject({ type: 'object', properties: { user: { type: 'number' } } });
  });

  test.each([
    [null, null],
    ['text', null],
    [{ exposes: 'none' }, []],
    [{ exposes: [null, 7, [], { type: 3 }, { type: 'enum' }, { name: '\u0000' }] }, []],
  ])('a definition that is %j gives no feature and no error', (raw, expected) => {
    const definition = readDefinition(raw);
    expect(definition === null ? null : bindingsFromDefinition(definition)).toEqual(expected);
  });

  test('I1: exposes that are too many or too deep are dropped', () => {
    const deep = (depth: number): unknown => ({
      type: 'composite',
      name: 'a',
      property: 'a',
      features: depth === 0 ? [] : [deep(depth - 1)],
    });
    const many = Array.from({ length: 5_000 }, (_, index) => ({
      type: 'numeric',
      name: `n${index}`,
      property: `n${index}`,
      access: 1,
    }));
    const definition = readDefinition({ exposes: [deep(200), ...many] });
    expect(definition === null ? 0 : bindingsFromDefinition(definition).length).toBeLessThanOrEqual(2_000);
  });
});
