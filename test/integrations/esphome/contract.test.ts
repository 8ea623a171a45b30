import type { JsonValue } from '#base/json.ts';
import {
  type ContractTime,
  describeIntegrationContract,
  type Ending,
  type IntegrationUnderTest,
} from '#test/integrations/contract.ts';
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
  [46, ofListed(19, { 3: 'Heater' })],
];

/** A state that is known, and the states of the same entity in which it is not. */
type Told = readonly [key: string, known: JsonValue, type: number, state: Draft, ends: Readonly<Record<string, Draft>>];

const NOT_A_NUMBER = { 2: Number.NaN };
const TOLD: readonly Told[] = [
  [
    'locked',
    true,
    59,
    ofEntity(12, { 2: 1 }),
    Object.fromEntries(
      ['none', 'jammed', 'locking', 'unlocking', 'opening'].map((state, index) => [
        state,
        ofEntity(12, { 2: [0, 3, 4, 5, 6][index] ?? 0 }),
      ]),
    ),
  ],
  ['lock_state', 'locked', 59, ofEntity(12, { 2: 1 }), { none: ofEntity(12, {}), 'no such': ofEntity(12, { 2: 99 }) }],
  [
    'temperature',
    21.4,
    25,
    withFloats(ofEntity(3), { 2: 21.4 }),
    {
      'no number': withFloats(ofEntity(3), NOT_A_NUMBER),
      'missing state': withFloats(ofEntity(3, { 3: true }), { 2: 5 }),
    },
  ],
  ['open', true, 21, ofEntity(13, { 2: true }), { 'missing state': ofEntity(13, { 3: true }) }],
  ['x.text', 'a', 27, ofEntity(14, { 2: 'a' }), { 'missing state': ofEntity(14, { 2: 'a', 3: true }) }],
  [
    'position',
    50,
    22,
    withFloats(ofEntity(15), { 3: 0.5 }),
    { 'no number': withFloats(ofEntity(15), { 3: Number.NaN }) },
  ],
  [
    'cover_state',
    'open',
    22,
    withFloats(ofEntity(15), { 3: 1 }),
    { 'no number': withFloats(ofEntity(15), { 3: Number.NaN }) },
  ],
  [
    'arm_mode',
    'armed_away',
    95,
    ofEntity(16, { 2: 2 }),
    { pending: ofEntity(16, { 2: 6 }), triggered: ofEntity(16, { 2: 9 }) },
  ],
  ['x.number', 5, 50, withFloats(ofEntity(17), { 2: 5 }), { 'no number': withFloats(ofEntity(17), NOT_A_NUMBER) }],
  [
    'valve_open',
    true,
    110,
    withFloats(ofEntity(18), { 2: 1 }),
    { 'no number': withFloats(ofEntity(18), NOT_A_NUMBER) },
  ],
  [
    'target_temperature',
    20,
    47,
    withFloats(ofEntity(19), { 4: 20 }),
    { 'no number': withFloats(ofEntity(19), { 4: Number.NaN }) },
  ],
];

function endingsOf(says: (type: number, body: Uint8Array) => void): readonly Ending[] {
  return TOLD.flatMap(([key, known, type, state, ends]) =>
    Object.entries(ends).map(([what, end]) => ({
      externalId: NODE_MAC,
      key,
      known,
      tell: () => says(type, bytesOf(state)),
      what,
      end: () => says(type, bytesOf(end)),
    })),
  );
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
    endings: endingsOf(node.says),
    openEnds: world.open,
    close: async () => {
      world.close();
      await node.close();
    },
  };
}

describeIntegrationContract('esphome in clear', (time) => openWorld(time));
describeIntegrationContract('esphome with a key', (time) => openWorld(time, KEY));
