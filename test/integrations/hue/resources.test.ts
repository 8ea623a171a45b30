import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '#base/json.ts';
import { type Resource, readResource } from '#integrations/hue/clip/clip-message.ts';
import { putsFromCommand, reportFromResource } from '#integrations/hue/payload.ts';
import type { Sent } from '#integrations/peer/source.ts';
import { keyOf, type KnownDevice } from '#integrations/hue/resources/device.ts';
import { collectResources, inventoryFrom } from '#integrations/hue/resources/inventory.ts';
import { searchOf } from '#test/support/machine/runs.ts';

/** All that the simulated bridge has. */
const DUMP = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../fixtures/hue/resources.json'), 'utf8'),
) as readonly JsonObject[];

function inventoryOf(dump: readonly JsonValue[], takeRooms = true) {
  const { add, resources } = collectResources();
  for (const one of dump) {
    const resource = readResource(one);
    if (resource !== undefined) add(resource);
  }
  return { found: resources, inventory: inventoryFrom(resources, takeRooms) };
}

const { found, inventory } = inventoryOf(DUMP);
const named = (name: string): KnownDevice => {
  const device = [...inventory.devices.values()].find(({ description }) => description.name === name);
  if (device === undefined) throw new Error(`the dump has no ${name}`);
  return device;
};
const NOTHING = { sent: undefined, values: undefined };
/** All values of a device in the dump. */
function valuesOf(name: string): Record<string, JsonValue> {
  const { externalId } = named(name).description;
  const values = [...found.values()].flatMap((resource) => {
    const service = inventory.services.get(keyOf(resource));
    return service?.externalId === externalId ? [...reportFromResource(resource, service, NOTHING).values] : [];
  });
  return Object.fromEntries(values);
}
/** What a device of the dump reports when this changes in its service of this type. */
function reportOf(
  [name, type]: readonly [name: string, type: string],
  change: JsonObject,
  sent?: ReadonlyMap<string, Sent>,
) {
  const source = [...named(name).byKey.values()].find(({ resourceType }) => resourceType === type);
  if (source === undefined) throw new Error(`${name} has no ${type}`);
  const resource: Resource = { ...change, id: source.resourceId, type };
  const service = inventory.services.get(keyOf(resource));
  if (service === undefined) throw new Error(`${name} has no ${type}`);
  return reportFromResource(resource, service, { sent, values: new Map(Object.entries(valuesOf(name))) });
}
const featureOf = (name: string, key: string) => named(name).byKey.get(key)?.feature;
const bodyOf = (name: string, set: Record<string, JsonValue>, transitionMs: number | null = null): JsonValue[] =>
  putsFromCommand(
    { externalId: '', set: new Map(Object.entries(set)), action: null, transitionMs },
    named(name),
  ).puts.map(({ body }) => body);

describe('what a bridge has', () => {
  test('becomes devices with their types, makers, rooms, and not the bridge itself', () => {
    const picture = [...inventory.devices.values()].map(({ description: { name, type, suggestedRoom } }) =>
      [name, type, suggestedRoom ?? '-'].join(', '),
    );
    expect(picture.slice(0, 9)).toEqual([
      'Sofa, extended_color_light, Living room',
      'Desk, color_temperature_light, Office',
      'Hall, dimmable_light, Office',
      'Plug, on_off_plug_in_unit, Living room',
      'TV strip, extended_color_light, Living room',
      'Stairs sensor, occupancy_sensor, -',
      'Front door, contact_sensor, -',
      'Dimmer, generic_switch, -',
      'Tap dial, generic_switch, -',
    ]);
    expect(named('Desk').description).toMatchObject({
      manufacturer: 'Signify Netherlands B.V.',
      model: 'Hue white ambiance (LTA004)',
      firmware: '1.122.8',
      staleAfterMs: null,
    });
    expect(inventory.bridgeId).toBe('001788fffe01a0b0');
    const withoutRooms = inventoryOf(DUMP, false).inventory.devices.values();
    expect([...withoutRooms].filter(({ description }) => 'suggestedRoom' in description)).toEqual([]);
  });

  test('has its values in the units of the vocabulary', () => {
    expect(valuesOf('Sofa')).toMatchObject({
      on: true,
      brightness: 80.5,
      color_temperature: 2732,
      color: { x: 0.4573, y: 0.41 },
      effect: 'no_effect',
      power_on_behavior: 'on',
      'x.color_gamut_type': 'C',
    });
    expect(valuesOf('Stairs sensor')).toMatchObject({
      motion: false,
      temperature: 21.35,
      illuminance: 16,
      battery: 88,
      battery_state: 'normal',
      battery_low: false,
      'x.motion_sensitivity': 2,
      'x.motion_enabled': true,
    });
    expect(valuesOf('Front door')).toMatchObject({ open: false, tamper: false });
    expect(valuesOf('Dimmer')).toMatchObject({ battery: 12, battery_state: 'low', battery_low: true });
  });

  test('has ranges as the lamp says them', () => {
    expect(featureOf('Desk', 'color_temperature')).toMatchObject({ min: 2203, max: 6536, unit: 'K' });
    expect(featureOf('Desk', 'brightness')).toMatchObject({ min: 1, max: 100 });
    expect(featureOf('Stairs sensor', 'x.motion_sensitivity')).toMatchObject({ min: 0, max: 4, writable: true });
  });

  test('loses no value that a device offers', () => {
    // Identity, structure, options of enums, and members that say only that something can be set.
    const structure = /^(id|id_v1|type|owner|metadata|product_data|services|service_id|status_values|.*_delta)$/;
    for (const resource of found.values()) {
      const service = inventory.services.get(keyOf(resource));
      if (service === undefined || resource.type === 'device') continue;
      const members = new Set(service.sources.map(({ member }) => member));
      const silent = Object.keys(resource).filter((name) => !structure.test(name) && !members.has(name));
      const isKnown = (name: string): boolean =>
        ['identify', 'effects'].includes(name) || (resource.type === 'zigbee_connectivity' && name === 'status');
      expect([resource.type, ...silent.filter((name) => !isKnown(name))]).toEqual([resource.type]);
    }
  });

  test('keeps several lights of one device apart, by the number that the bridge gives them', () => {
    const twin = DUMP.find(({ type, metadata }) => type === 'device' && (metadata as JsonObject)['name'] === 'Hall');
    const light = (id: string, number: number): JsonObject => ({
      id,
      type: 'light',
      owner: { rid: 'twin', rtype: 'device' },
      service_id: number,
      on: { on: number === 1 },
    });
    const refs = ['b', 'a'].map((rid) => ({ rid, rtype: 'light' }));
    const two = inventoryOf([{ ...twin, services: refs }, light('a', 0), light('b', 1)]).inventory;
    const [device] = two.devices.values();
    expect([...(device?.byKey.keys() ?? [])].filter((key) => key.endsWith('.on'))).toEqual([
      'light_1.on',
      'light_0.on',
    ]);
    expect(device?.byKey.get('light_1.on')?.resourceId).toBe('b');
  });
});

describe('a report', () => {
  test('has only what the update names', () => {
    expect([...reportOf(['Sofa', 'light'], { on: { on: false } }).values]).toEqual([['on', false]]);
  });

  test('has no color temperature while the lamp shows a color', () => {
    const change = { color: { xy: { x: 0.2, y: 0.3 } }, color_temperature: { mirek: null, mirek_valid: false } };
    expect([...reportOf(['Sofa', 'light'], change).values]).toEqual([
      ['color_temperature', null],
      ['color', { x: 0.2, y: 0.3 }],
    ]);
  });

  test('of an object keeps the members that the update leaves out', () => {
    const { values } = reportOf(['Sofa', 'light'], { powerup: { on: { mode: 'previous' } } });
    expect(values.get('x.powerup_on')).toEqual({ mode: 'previous', on: { on: true } });
  });

  test.each<[string, string, JsonObject, JsonObject]>([
    ['contact', 'Front door', { contact_report: { state: 'no_contact' } }, { open: true }],
    ['tamper', 'Front door', { tamper_reports: [{ state: 'tampered' }] }, { tamper: true }],
    ['motion', 'Stairs sensor', { motion: { motion: true, motion_valid: true } }, { motion: true }],
    ['motion', 'Stairs sensor', { motion: { motion: true, motion_valid: false } }, { motion: null }],
    ['light_level', 'Stairs sensor', { light: { light_level: 0, light_level_valid: true } }, { illuminance: 0 }],
    [
      'light_level',
      'Stairs sensor',
      { light: { light_level: 40001, light_level_valid: true } },
      { illuminance: 10000 },
    ],
    [
      'device_power',
      'Dimmer',
      { power_state: { battery_level: 3, battery_state: 'critical' } },
      { battery: 3, battery_state: 'critical', battery_low: true },
    ],
    ['light', 'Sofa', { dimming: { brightness: 'bright' }, on: { on: 1 }, color: { xy: { x: Infinity } } }, {}],
  ])('of %s at %s reads %j as %j', (...[type, name, change, expected]) => {
    expect(Object.fromEntries(reportOf([name, type], change).values)).toEqual(expected);
  });

  test.each([
    ['initial_press', { action: 'press' }],
    ['repeat', { action: 'repeat' }],
    ['short_release', { action: 'single', count: 1 }],
    ['long_press', { action: 'hold' }],
    ['long_release', { action: 'release' }],
  ])('of a button reads %s', (event, word) => {
    const { happenings } = reportOf(['Dimmer', 'button'], { button: { button_report: { event, updated: 'T' } } });
    expect(happenings).toEqual([{ key: 'button_1.button', updated: 'T', occurrence: { ...word, raw: event } }]);
  });

  test('of a dial has the direction and the steps', () => {
    const rotation = { direction: 'counter_clock_wise', steps: 45 };
    const change = { relative_rotary: { rotary_report: { action: 'start', rotation, updated: 'T' } } };
    const { happenings } = reportOf(['Tap dial', 'relative_rotary'], change);
    const occurrence = { action: 'rotate_left', count: 45, raw: 'start counter_clock_wise' };
    expect(happenings).toEqual([{ key: 'dial.button', updated: 'T', occurrence }]);
  });
});

describe('a command', () => {
  test.each<[string, Record<string, JsonValue>, JsonObject]>([
    ['Sofa', { on: false }, { on: { on: false } }],
    ['Sofa', { brightness: 40 }, { on: { on: true }, dimming: { brightness: 40 } }],
    ['Sofa', { brightness: 40, on: false }, { on: { on: false }, dimming: { brightness: 40 } }],
    ['Sofa', { color_temperature: 2700 }, { color_temperature: { mirek: 370 } }],
    ['Desk', { color_temperature: 2203 }, { color_temperature: { mirek: 454 } }],
    ['Sofa', { color: { x: 0.2, y: 0.3 } }, { color: { xy: { x: 0.2, y: 0.3 } } }],
    ['Sofa', { color: { x: 0, y: 1 } }, { color: { xy: { x: 0.17, y: 0.7 } } }],
    ['Sofa', { effect: 'candle' }, { effects_v2: { action: { effect: 'candle' } } }],
    ['Sofa', { 'x.timed_effect': 'sunrise' }, { timed_effects: { effect: 'sunrise', duration: 1_800_000 } }],
    ['Sofa', { 'x.alert': 'breathe' }, { alert: { action: 'breathe' } }],
    ['Sofa', { 'x.signal': 'no_signal' }, { signaling: { signal: 'no_signal' } }],
    ['Sofa', { power_on_behavior: 'previous' }, { powerup: { preset: 'powerfail' } }],
    ['Stairs sensor', { 'x.motion_enabled': false }, { enabled: false }],
    ['Stairs sensor', { 'x.motion_sensitivity': 4 }, { sensitivity: { sensitivity: 4 } }],
  ])('to %s of %j sends %j', (name, set, body) => {
    expect(bodyOf(name, set)).toEqual([body]);
  });

  test('to a lamp has its transition, to a sensor none', () => {
    expect(bodyOf('Sofa', { on: true }, 400)).toEqual([{ on: { on: true }, dynamics: { duration: 400 } }]);
    expect(bodyOf('Stairs sensor', { 'x.motion_enabled': true }, 400)).toEqual([{ enabled: true }]);
  });

  test.each<[string, JsonValue, JsonObject]>([
    ['color_temperature', 2700, { color_temperature: { mirek: 370, mirek_valid: true } }],
    ['brightness', 40, { dimming: { brightness: 39.92 } }],
    ['color', { hue: 120, saturation: 100 }, { color: { xy: { x: 0.2151, y: 0.6804 } } }],
  ])('of %s comes back as it was given', (key, value, report) => {
    const { sent, puts } = putsFromCommand(
      { externalId: '', set: new Map([[key, value]]), action: null, transitionMs: null },
      named('Sofa'),
    );
    if (key === 'color') report = puts[0]?.body ?? report;
    expect([...reportOf(['Sofa', 'light'], report, sent).values]).toEqual([[key, value]]);
    const other = { color_temperature: { mirek: 300 }, dimming: { brightness: 10 }, color: { xy: { x: 0.5, y: 0.3 } } };
    expect(reportOf(['Sofa', 'light'], other, sent).values.get(key)).not.toEqual(value);
  });
});

describe('I1: whatever a bridge says of itself', () => {
  const change = fc.record({
    at: fc.nat(),
    path: fc.array(fc.nat(20), { maxLength: 4 }),
    value: fc.jsonValue({ maxDepth: 4 }),
  });

  test('makes no step throw, and every feature has a key of its own', () => {
    fc.assert(
      fc.property(fc.array(change, { maxLength: 20 }), (changes) => {
        const resources = structuredClone(DUMP) as JsonObject[];
        for (const { at, path, value } of changes)
          mutate(resources[at % resources.length] ?? {}, path, value as JsonValue);
        const { found, inventory } = inventoryOf(resources);
        for (const resource of found.values()) {
          const service = inventory.services.get(keyOf(resource));
          if (service !== undefined) reportFromResource(resource, service, NOTHING);
        }
        for (const { description, byKey } of inventory.devices.values()) {
          expect(new Set(description.features.map(({ key }) => key)).size).toBe(byKey.size);
        }
      }),
      searchOf(2_000),
    );
  });

  test('has names of one visible line', () => {
    const wrong = (name: JsonValue): string | undefined => {
      const device = { id: 'd', type: 'device', metadata: { name }, services: [] };
      return [...inventoryOf([device]).inventory.devices.values()][0]?.description.name;
    };
    expect(wrong('A\u0000B\u001b[31m\nC')).toBe('A B [31m C');
    expect(wrong('x'.repeat(1_000_000))).toHaveLength(100);
    expect(['\u202e\u200b', ' ', '', 7, null].map(wrong)).toEqual(['d', 'd', 'd', 'd', 'd']);
    expect(wrong('<img src=x onerror=alert(1)>'), 'the page escapes').toBe('<img src=x onerror=alert(1)>');
  });

  test('the last of two resources with one id counts, and an owner that is missing hides nothing else', () => {
    const device = { id: 'd', type: 'device', metadata: { name: 'First' }, services: [{ rid: 'l', rtype: 'light' }] };
    const light = { id: 'l', type: 'light', owner: { rid: 'nobody', rtype: 'device' }, on: { on: true } };
    const { devices } = inventoryOf([device, light, { ...device, metadata: { name: 'Second' } }]).inventory;
    expect([...devices.values()].map(({ description }) => description.name)).toEqual(['Second']);
    expect(devices.get('d')?.byKey.has('on')).toBe(true);
  });

  test('is bounded in number', () => {
    const { add } = collectResources();
    const taken = Array.from({ length: 20_002 }, (_, index) => add({ id: `${index}`, type: 'light' }));
    expect([taken[19_999], taken[20_001]]).toEqual([true, false]);
  });
});

function mutate(target: JsonObject, path: readonly number[], value: JsonValue): void {
  let part: { [name: string]: JsonValue } = target;
  for (const [depth, step] of path.entries()) {
    const names = Object.keys(part);
    const name = names[step % Math.max(1, names.length)];
    if (name === undefined) return;
    const inner = part[name];
    if (depth === path.length - 1 || typeof inner !== 'object' || inner === null) {
      part[name] = value;
      return;
    }
    part = inner as { [name: string]: JsonValue };
  }
}
