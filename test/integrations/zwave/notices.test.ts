import { expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '#base/json.ts';
import { deviceFromNode } from '#integrations/zwave/mapping/node-device.ts';
import { readSources } from '#integrations/peer/source.ts';
import { keyOf, readNode, readValueId } from '#integrations/zwave/zwave-message.ts';
import { type LeftOut, wrongMeanings } from '#test/support/kinds/peer-list.ts';
import { CLASSES, FUTURE, listOf, nodeWith, statesOf } from '#test/support/zwave/lone-value.ts';

const NO_WORD = 'has no word in the vocabulary';

type Variables = readonly [type: number, variables: Readonly<Record<string, Readonly<Record<string, number>>>>];
type Noticed = { readonly node: ReturnType<typeof nodeWith>; readonly states: Readonly<Record<string, number>> };
const NOTIFICATIONS = new Map<string, Noticed>(
  Object.entries(listOf<Variables>('notifications')).flatMap(([name, [type, variables]]) =>
    Object.entries(variables).map(([variable, states]) => {
      const metadata = { type: 'number', ccSpecific: { notificationType: type } };
      const node = nodeWith({ cc: 'Notification', property: name, key: variable, metadata });
      return [`${name}: ${variable}`, { node, states }] as const;
    }),
  ),
);
const NOTICED = {
  'Smoke Alarm: Sensor status': 'smoke',
  'CO Alarm: Sensor status': 'co_alarm',
  'Water Alarm: Sensor status': 'water_leak',
  'Access Control: Door state': 'open',
  'Home Security: Cover status': 'tamper',
  'Home Security: Motion sensor status': 'motion',
  'Power Management: Mains status': 'mains_powered',
  'Power Management: Battery load status': 'charging',
  'System: Hardware status': 'problem',
  'System: Cover status': 'tamper',
  'Siren: Siren status': 'siren',
  'Weather Alarm: Rain alarm status': 'rain',
  'Gas alarm: Combustible gas status': 'gas_leak',
  'Home monitoring: Home occupancy status': 'presence',
};

test('notifications have the word of what they notice', () => {
  expect(
    wrongMeanings(
      NOTIFICATIONS.keys(),
      { known: NOTICED, leftOut: NOTICES_LEFT_OUT },
      (name) => NOTIFICATIONS.get(name)?.node.word,
    ),
  ).toEqual([]);
});

/** All other states that a known notification has mean yes. */
const MEAN_NO = new Set(['Window/door is closed', 'AC mains disconnected']);
/** What of these is neither idle nor known is a failure all the same. */
const ALL_ARE_FAILURES = 'problem';

test.each(Object.entries(NOTICED))('each state of %s is one of %s, and no other is', (name, word) => {
  const { node, states } = NOTIFICATIONS.get(name) ?? {};
  if (node === undefined || states === undefined) throw new Error(`there is no ${name}`);
  const shown = (raw: number): JsonValue | undefined => node.shown(raw)[word];
  const said = Object.entries(states).map(([label, number]) => [label, shown(number)]);
  expect(said).toEqual(Object.keys(states).map((label) => [label, !MEAN_NO.has(label)]));
  expect(shown(FUTURE)).toBe(word === ALL_ARE_FAILURES ? true : null);
});

const NOTICES_LEFT_OUT: LeftOut = [
  {
    why: 'is about the detector itself, and has a feature of its own',
    of: [
      'Smoke Alarm: Alarm status',
      'Smoke Alarm: Maintenance status',
      'Smoke Alarm: Periodic inspection status',
      'Smoke Alarm: Dust in device status',
      'CO Alarm: Test status',
      'CO Alarm: Maintenance status',
      'CO Alarm: Alarm status',
      'CO Alarm: Periodic inspection status',
      'CO2 Alarm: Test status',
      'CO2 Alarm: Maintenance status',
      'CO2 Alarm: Alarm status',
      'CO2 Alarm: Periodic inspection status',
      'Heat Alarm: Alarm status',
      'Heat Alarm: Maintenance status',
      'Heat Alarm: Periodic inspection status',
      'Heat Alarm: Dust in device status',
      'Water Alarm: Maintenance status',
      'Gas alarm: Alarm status',
      'Gas alarm: Maintenance status',
      'System: Software status',
    ],
  },
  { why: 'is shown by the state of the lock', of: ['Access Control: Lock state'] },
  {
    why: NO_WORD,
    of: [
      'CO2 Alarm: Sensor status',
      'Heat Alarm: Heat sensor status',
      'Water Alarm: Water flow alarm status',
      'Water Alarm: Water pressure alarm status',
      'Water Alarm: Water temperature alarm status',
      'Water Alarm: Water level alarm status',
      'Water Alarm: Pump status',
      'Access Control: Keypad state',
      'Access Control: Door handle state',
      'Access Control: Barrier performing initialization process status',
      'Access Control: Barrier UL disabling status',
      'Access Control: Barrier vacation mode status',
      'Access Control: Barrier safety beam obstacle status',
      'Access Control: Barrier sensor status',
      'Access Control: Barrier battery status',
      'Access Control: Barrier short-circuit status',
      'Access Control: Barrier control status',
      'Home Security: Sensor status',
      'Home Security: Magnetic interference status',
      'Power Management: Power status',
      'Power Management: Over-current status',
      'Power Management: Over-voltage status',
      'Power Management: Over-load status',
      'Power Management: Load error status',
      'Power Management: Battery maintenance status',
      'Power Management: Battery level status',
      'Power Management: Backup battery level status',
      'System: Emergency shutoff status',
      'Weather Alarm: Moisture alarm status',
      'Weather Alarm: Freeze alarm status',
      'Gas alarm: Toxic gas status',
      'Pest Control: Trap status',
      'Light sensor: Light detection status',
    ],
  },
  {
    why: 'is of a machine, a sickbed or a garden, which has features of its own',
    of: [...NOTIFICATIONS.keys()].filter((name) =>
      /^(?:Appliance|Home Health|Irrigation|Water Quality Monitoring|Water Valve): /.test(name),
    ),
  },
];

test('a bolt that is jammed is not locked, whatever its mode says', () => {
  const id = (property: string, propertyKey?: string): JsonObject => ({
    commandClass: CLASSES[propertyKey === undefined ? 'Door Lock' : 'Notification'] ?? 0,
    endpoint: 0,
    property,
    ...(propertyKey === undefined ? {} : { propertyKey }),
  });
  const places = [id('currentMode'), id('Access Control', 'Lock state')] as const;
  const [mode, bolt] = places.map((place) =>
    keyOf(readValueId(place) ?? { commandClass: 0, endpoint: 0, property: '' }),
  );
  const values = [
    { ...places[0], metadata: { type: 'number', states: statesOf('DoorLockMode') } },
    { ...places[1], metadata: { type: 'number', ccSpecific: { notificationType: 6 } } },
  ];
  const state = readNode({ nodeId: 2, ready: true, values });
  if (state === undefined) throw new Error('it is no node');
  const device = deviceFromNode(state, '2', false);
  const jammed = listOf<Variables>('notifications')['Access Control']?.[1]['Lock state']?.['Lock jammed'];
  const sink = { reportRefused: () => undefined };
  const shown = (own: number | undefined) => {
    const look = (at: string): number | undefined => (at === mode ? 255 : at === bolt ? own : undefined);
    const changed = device.byValue.get(bolt ?? '') ?? [];
    return Object.fromEntries(readSources(changed, ({ read }) => read?.(look), { sink, externalId: '2' }));
  };
  expect(shown(jammed)).toMatchObject({ locked: null, lock_state: 'jammed' });
  expect(shown(0)).toMatchObject({ locked: true, lock_state: 'locked' });
  expect(shown(undefined)).toMatchObject({ locked: true, lock_state: 'locked' });
});
