import { type EventModel, Matter, type ValueModel } from '@matter/model';
import { describe, expect, test } from 'vitest';
import { isJsonObject, type JsonValue } from '#base/json.ts';
import { DEVICE } from '#integrations/matter/mapping/device-types.ts';
import { MAKERS, TAGS } from '#integrations/matter/mapping/node-devices.ts';
import type { Part, Place, Plan, Wish } from '#integrations/matter/mapping/source.ts';
import { CLUSTERS, DEVICE_TYPES, type Members, membersOf, sampleOf, typeOf } from '#test/support/matter/model-nodes.ts';

/** What the mapping asks for that the standard does not have. */
type Unknown = { readonly found: Set<string>; asked: number };

function check(unknown: Unknown, kind: keyof Members, place: string): void {
  unknown.asked += 1;
  const [name = '', member = ''] = place.split('.');
  const cluster = CLUSTERS.get(name);
  if (cluster === undefined || !membersOf(cluster)[kind].has(member)) unknown.found.add(`${kind} ${place}`);
}

const SAMPLES = new Map<string, JsonValue>();

function sampleAt(place: string): JsonValue {
  const known = SAMPLES.get(place);
  if (known !== undefined) return known;
  const [name = '', member = ''] = place.split('.');
  const cluster = CLUSTERS.get(name);
  const attribute = cluster && membersOf(cluster).attributes.get(member);
  const sample = cluster === undefined || attribute === undefined ? null : sampleOf(typeOf(cluster, attribute));
  SAMPLES.set(place, sample);
  return sample;
}

/** A value of which each name that is read is noted unless the standard has it. */
function watched(value: JsonValue, place: string, unknown: Unknown): JsonValue {
  if (Array.isArray(value))
    return value.map((item, index) => watched(item as JsonValue, `${place}[${index}]`, unknown));
  if (!isJsonObject(value)) return value;
  const note = (name: string | symbol): void => {
    if (typeof name === 'string' && !Object.hasOwn(value, name)) unknown.found.add(`member ${place}.${name}`);
  };
  return new Proxy(value, {
    get: (target, name) => {
      note(name);
      return typeof name === 'string' ? watched(target[name] ?? null, `${place}.${name}`, unknown) : undefined;
    },
    getOwnPropertyDescriptor: (target, name) => {
      note(name);
      return Object.getOwnPropertyDescriptor(target, name);
    },
  });
}

type Having = { readonly types: readonly number[]; readonly can?: boolean; readonly lacks?: readonly string[] };

/** An endpoint that has everything but what it lacks, and notes what it is asked for. */
function openAnything({ types, can = true, lacks = [] }: Having, unknown: Unknown): readonly Plan[] {
  const plans: Plan[] = [];
  const look = (place: Place): JsonValue => {
    check(unknown, 'attributes', place);
    return watched(sampleAt(place), place, unknown);
  };
  const seen = (...places: readonly Place[]): void => {
    for (const place of places) check(unknown, 'attributes', place);
  };
  const part: Part = {
    component: 'main',
    number: 1,
    types: new Set(types),
    find: look,
    has: (place) => {
      seen(place);
      return !lacks.includes(place);
    },
    hasCluster: (cluster) => {
      if (!CLUSTERS.has(cluster)) unknown.found.add(`cluster ${cluster}`);
      return true;
    },
    takes: (place) => {
      check(unknown, 'commands', place);
      return !lacks.includes(place);
    },
    can: (cluster, flag) => {
      check(unknown, 'features', `${cluster}.${flag}`);
      return can || flag === 'momentarySwitch';
    },
    hide: seen,
    add: (plan, ...shown) => {
      plans.push(plan);
      seen(...shown, ...(plan.from ?? []));
    },
  };
  const wish: Wish = { also: () => undefined, look, transition: 0 };
  const values: readonly JsonValue[] = [true, false, 1, 'none', { x: 0.3, y: 0.3 }, { hue: 1, saturation: 1 }];
  for (const addSources of MAKERS) addSources(part);
  for (const { feature, read, write, happens } of plans) {
    read?.(look);
    for (const value of [...values, ...(feature.options ?? [])]) {
      for (const ask of attempt(() => write?.(value, wish)) ?? []) {
        if ('command' in ask) checkFields(unknown, ask);
        else check(unknown, 'attributes', `${ask.cluster}.${ask.write}`);
      }
    }
    for (const [place, happen] of happens ?? []) {
      check(unknown, 'events', place);
      const event = eventOf(place);
      if (event !== undefined) happen(watched(sampleOf(event as ValueModel), place, unknown) as never, look);
    }
  }
  return plans;
}

/** A lock without its code says so. */
function attempt<T>(run: () => T): T | undefined {
  try {
    return run();
  } catch (cause) {
    expect(cause).toMatchObject({ code: 'VALIDATION_FAILED' });
    return undefined;
  }
}

function eventOf(place: string): EventModel | undefined {
  const [name = '', member = ''] = place.split('.');
  const cluster = CLUSTERS.get(name);
  return cluster && membersOf(cluster).events.get(member);
}

type Invoked = { readonly cluster: string; readonly command: string; readonly fields: object; readonly timed: boolean };

/** Fields, those that must be there, and whether the standard wants it timed. */
function checkFields(unknown: Unknown, { cluster, command, fields, timed }: Invoked): void {
  check(unknown, 'commands', `${cluster}.${command}`);
  const known = CLUSTERS.get(cluster);
  const model = known && membersOf(known).commands.get(command);
  if (model === undefined) return;
  // A command "with on and off" has the fields of the plain one.
  const plain = model.base ?? model;
  const members = [...model.members].length > 0 ? [...model.members] : [...plain.members];
  const names = new Set(members.map(({ propertyName }) => propertyName));
  for (const name of Object.keys(fields))
    if (!names.has(name)) unknown.found.add(`field ${cluster}.${command}.${name}`);
  for (const member of members) {
    if (String(member.conformance) === 'M' && !Object.hasOwn(fields, member.propertyName)) {
      unknown.found.add(`missing ${cluster}.${command}.${member.propertyName}`);
    }
  }
  if ((model.effectiveAccess.timed ?? false) !== timed) unknown.found.add(`timed ${cluster}.${command}`);
}

describe('names of Matter', () => {
  test.each<[string, Having]>([
    ['a lamp', { types: [] }],
    ['a loudspeaker', { types: [DEVICE.speaker] }],
    ['a contact', { types: [DEVICE.contactSensor] }],
    ['a freeze detector', { types: [DEVICE.freezeDetector] }],
    ['an air conditioner', { types: [DEVICE.roomAirConditioner] }],
    ['a pump', { types: [DEVICE.pump] }],
    ['a device without functions beside', { types: [], can: false }],
    [
      'a device that lacks what others have',
      {
        types: [],
        can: false,
        lacks: [
          'colorControl.moveToColor',
          'levelControl.moveToLevelWithOnOff',
          'onOff.onOff',
          'thermostat.thermostatRunningState',
          'windowCovering.currentPositionLiftPercent100ths',
        ],
      },
    ],
  ])('that the mapping of %s uses are those of the standard', (_name, having) => {
    const unknown: Unknown = { found: new Set(), asked: 0 };
    const plans = openAnything(having, unknown);
    expect([...unknown.found]).toEqual([]);
    expect(plans.length).toBeGreaterThan(100);
    expect(unknown.asked).toBeGreaterThan(300);
  });

  test('of device types are numbers of the standard', () => {
    const known = new Set(DEVICE_TYPES.map(({ id }) => id));
    expect(Object.values(DEVICE).filter((number) => !known.has(number as never))).toEqual([]);
  });

  test('of tags are those of the standard', () => {
    const known = new Map(
      [...Matter.semanticNamespaces].map(({ id, children }) => [
        id,
        new Map(children.map((tag) => [tag.id, tag.name])),
      ]),
    );
    for (const [namespace, words] of TAGS) {
      expect(words.length).toBeGreaterThan(2);
      for (const [number, word] of words.entries()) {
        expect([namespace, number, known.get(namespace)?.get(number)?.toLowerCase()]).toEqual([
          namespace,
          number,
          word.replaceAll(' ', ''),
        ]);
      }
    }
  });

  test('that are wrong would be found', () => {
    const unknown: Unknown = { found: new Set(), asked: 0 };
    check(unknown, 'attributes', 'onOff.onOf');
    check(unknown, 'commands', 'onOff.off');
    const [value] = [watched({ open: true }, 'a.b', unknown)];
    expect((value as { readonly closed?: boolean }).closed).toBeNull();
    expect([...unknown.found]).toEqual(['attributes onOff.onOf', 'member a.b.closed']);
  });
});
