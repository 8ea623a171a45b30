import {
  type ContractTime,
  describeIntegrationContract,
  type IntegrationUnderTest,
} from '#test/integrations/contract.ts';
import { endingsOf, type Numbers, type Told } from '#test/integrations/contract-values.ts';
import { hostilePayloads } from '#test/support/attack/hostile-payloads.ts';
import { NODE_MAC, ofEntity, type Said, startEsphomeNode } from '#test/support/esphome/esphome-node.ts';
import { createEsphomeWorld } from '#test/support/esphome/esphome-world.ts';
import { bytesOf, type Draft, type Message } from '#integrations/esphome/wire/protobuf.ts';
import { echo, LISTING, ofListed, STATES, withFloats } from '#test/support/esphome/listing.ts';

const KEY = Buffer.from('0123456789abcdef0123456789abcdef');
const STATE_TYPES = [21, 22, 23, 24, 25, 26, 27, 47, 50, 53, 95, 101, 104, 108, 110, 113, 117, 133];

const MORE: readonly Said[] = [
  [58, ofListed(12, { 3: 'Door' })],
  [12, ofListed(13, { 3: 'Window', 5: 'window' })],
  [18, ofListed(14, { 3: 'Text' })],
  [13, ofListed(15, { 3: 'Blind', 6: true })],
  [94, ofListed(16, { 3: 'Alarm', 8: 3 })],
  [49, ofListed(17, { 3: 'Number' })],
  [109, ofListed(18, { 3: 'Valve' })],
  [46, ofListed(19, { 3: 'Heater', 7: 3 })],
];

const float = (key: number, floats: Readonly<Record<number, number>>): Draft => withFloats(ofEntity(key), floats);
const NOT_A_NUMBER = Number.NaN;
const MISSING = { 3: true };
const LOCK = 59;

/** By the type of the message. The last locks are none of a list that the hub knows. */
const TOLD: readonly Told<Said>[] = [
  [
    'locked',
    true,
    [LOCK, ofEntity(12, { 2: 1 })],
    Object.fromEntries(
      ['none', 'jammed', 'locking', 'unlocking', 'opening', 'of the future'].map((state, index) => [
        state,
        [LOCK, ofEntity(12, { 2: [0, 3, 4, 5, 6, 99][index] ?? 0 })] as const,
      ]),
    ),
  ],
  ['locked', true, [LOCK, ofEntity(12, { 2: 1 })], { open: [LOCK, ofEntity(12, { 2: 7 })] }, false],
  ['lock_state', 'locked', [LOCK, ofEntity(12, { 2: 1 })], { jammed: [LOCK, ofEntity(12, { 2: 3 })] }, 'jammed'],
  [
    'lock_state',
    'locked',
    [LOCK, ofEntity(12, { 2: 1 })],
    { none: [LOCK, ofEntity(12, {})], 'of the future': [LOCK, ofEntity(12, { 2: 99 })] },
  ],
  [
    'temperature',
    21.4,
    [25, float(3, { 2: 21.4 })],
    {
      'no number': [25, float(3, { 2: NOT_A_NUMBER })],
      infinite: [25, float(3, { 2: Infinity })],
      'missing state': [25, withFloats(ofEntity(3, MISSING), { 2: 5 })],
    },
  ],
  ['open', true, [21, ofEntity(13, { 2: true })], { 'missing state': [21, ofEntity(13, MISSING)] }],
  ['x.text', 'a', [27, ofEntity(14, { 2: 'a' })], { 'missing state': [27, ofEntity(14, { 2: 'a', ...MISSING })] }],
  ['position', 50, [22, float(15, { 3: 0.5 })], { 'no number': [22, float(15, { 3: NOT_A_NUMBER })] }],
  ['cover_state', 'open', [22, float(15, { 3: 1 })], { 'no number': [22, float(15, { 3: NOT_A_NUMBER })] }],
  ['x.movement', 'opening', [22, ofEntity(15, { 5: 1 })], { 'of the future': [22, ofEntity(15, { 5: 9 })] }],
  [
    'arm_mode',
    'armed_away',
    [95, ofEntity(16, { 2: 2 })],
    { pending: [95, ofEntity(16, { 2: 6 })], triggered: [95, ofEntity(16, { 2: 9 })] },
  ],
  ['x.alarm_state', 'triggered', [95, ofEntity(16, { 2: 9 })], { 'of the future': [95, ofEntity(16, { 2: 99 })] }],
  [
    'x.number',
    5,
    [50, float(17, { 2: 5 })],
    {
      'no number': [50, float(17, { 2: NOT_A_NUMBER })],
      'missing state': [50, withFloats(ofEntity(17, MISSING), { 2: 5 })],
    },
  ],
  ['valve_open', true, [110, float(18, { 2: 1 })], { 'no number': [110, float(18, { 2: NOT_A_NUMBER })] }],
  ['target_temperature', 20, [47, float(19, { 4: 20 })], { 'no number': [47, float(19, { 4: NOT_A_NUMBER })] }],
  ['thermostat_mode', 'heat', [47, ofEntity(19, { 2: 3 })], { 'of the future': [47, ofEntity(19, { 2: 99 })] }],
  ['x.mode', 'eco', [53, ofEntity(7, { 2: 'eco' })], { 'missing state': [53, ofEntity(7, MISSING)] }],
  [
    'x.wake_time',
    '07:30:00',
    [104, ofEntity(8, { 3: 7, 4: 30 })],
    { 'missing state': [104, ofEntity(8, { 2: true })] },
  ],
];

function numbersOf(says: (type: number, body: Uint8Array) => void): Numbers {
  const isFloat = (value: unknown): boolean => typeof value === 'number' && Number.isFinite(value);
  return {
    externalId: NODE_MAC,
    key: 'temperature',
    tell: (form) => says(25, bytesOf(float(3, { 2: Number(JSON.parse(form)) }))),
    // Floats alone; those that are no number say that the value is not known.
    carries: (form) => isFloat(JSON.parse(form)),
  };
}

/** As the firmware: a command that changes nothing makes no state. */
function echoChanges() {
  const last = new Map<string, string>();
  return (type: number, message: Message): readonly Said[] =>
    echo(type, message).filter(([stateType, state]) => {
      const [place, said] = [`${stateType} ${message.number(1)}`, Buffer.from(bytesOf(state)).toString('hex')];
      const isNew = last.get(place) !== said;
      last.set(place, said);
      return isNew;
    });
}

async function openWorld(time: ContractTime, key?: Buffer): Promise<IntegrationUnderTest> {
  const node = await startEsphomeNode({
    listing: [...LISTING, ...MORE],
    states: STATES,
    onCommand: echoChanges(),
    ...(key === undefined ? {} : { key }),
  });
  const world = createEsphomeWorld(node.host, { ...time, ...(key && { password: key.toString('base64') }) });
  return {
    integration: world.create(),
    reopen: world.create,
    logLines: world.lines,
    breakLink: node.unplug,
    healLink: node.plug,
    sendGarbage: async () => {
      for (const payload of hostilePayloads()) {
        const body = Buffer.from(payload).subarray(0, 60_000);
        for (const type of [...STATE_TYPES, 12, 16, 41, 300, 65_535]) node.says(type, body);
      }
    },
    wire: () => node.wire,
    command: { externalId: NODE_MAC, key: 'on', value: true },
    endings: endingsOf(NODE_MAC, TOLD, ([type, draft]) => node.says(type, bytesOf(draft))),
    numbers: numbersOf(node.says),
    openEnds: world.open,
    close: async () => {
      world.close();
      await node.close();
    },
  };
}

describeIntegrationContract('esphome in clear', (time) => openWorld(time));
describeIntegrationContract('esphome with a key', (time) => openWorld(time, KEY));
