import {
  type ContractTime,
  describeIntegrationContract,
  type IntegrationUnderTest,
} from '#test/integrations/contract.ts';
import type { JsonValue } from '#base/json.ts';
import { endingsOf, type Told } from '#test/integrations/contract-values.ts';
import { hostilePayloads } from '#test/support/attack/hostile-payloads.ts';
import { recordedNodes, startZwaveServer, SWITCH } from '#test/support/zwave/zwave-server.ts';
import { createZwaveWorld } from '#test/support/zwave/zwave-world.ts';

/** A value of a node: its command class, property and key. */
type Place = readonly [nodeId: number, commandClass: number, property: string, key?: string | number];
type Said = readonly [place: Place, value: JsonValue | undefined];

const METER: Place = [2, 50, 'value', 66_049];
const DIMMER: Place = [3, 38, 'currentValue'];
const SENSOR: Place = [4, 49, 'Air temperature'];
const DOOR: Place = [4, 113, 'Access Control', 'Door state (simple)'];
const TAMPER: Place = [4, 113, 'Home Security', 'Cover status'];
const BATTERY: Place = [4, 128, 'level'];
const MODE: Place = [5, 64, 'mode'];
const TARGET: Place = [5, 67, 'setpoint', 1];
const LOCK: Place = [6, 98, 'currentMode'];
const DOOR_OF_LOCK: Place = [6, 98, 'doorStatus'];
const BLIND: Place = [7, 38, 'currentValue'];
const MOTION: Place = [8, 113, 'Home Security', 'Motion sensor status'];
const COLOR: Place = [10, 51, 'currentColor'];
const SECURED = 255;

/** The server has no value for what the driver does not know: null, or no member at all. */
function unknown(place: Place, others: Readonly<Record<string, JsonValue>> = {}): Readonly<Record<string, Said>> {
  const said = Object.entries(others).map(([what, value]) => [what, [place, value] as const] as const);
  return { null: [place, null], missing: [place, undefined], ...Object.fromEntries(said) };
}

const TOLD: Readonly<Record<string, readonly Told<Said>[]>> = {
  2: [
    ['on', true, [[2, 37, 'currentValue'], true], unknown([2, 37, 'currentValue'])],
    ['power', 40, [METER, 40], unknown(METER)],
  ],
  3: [
    ['brightness', 51, [DIMMER, 50], unknown(DIMMER, { 'level 254': 254, 'level 255': 255, 'a reserved level': 100 })],
    ['on', true, [DIMMER, 50], unknown(DIMMER, { 'level 254': 254 })],
    // 255 is the level of before: it is on, and nobody knows how bright.
    ['on', false, [DIMMER, 0], { 'level 255': [DIMMER, 255] }, true],
  ],
  4: [
    ['temperature', 20, [SENSOR, 20], unknown(SENSOR)],
    ['open', true, [DOOR, 22], unknown(DOOR, { 'state 254': 254 })],
    ['tamper', true, [TAMPER, 3], unknown(TAMPER, { 'state 254': 254 })],
    ['battery', 50, [BATTERY, 50], unknown(BATTERY, { 'level 255': 255 })],
  ],
  5: [
    ['thermostat_mode', 'heat', [MODE, 1], unknown(MODE)],
    ['target_temperature', 19, [TARGET, 19], unknown(TARGET)],
  ],
  6: [
    ['locked', true, [LOCK, SECURED], unknown(LOCK, { 'mode 254': 254, 'a mode of the future': 99 })],
    ...[0, 1, 16, 17, 32, 33].map((mode): Told<Said> => [
      'locked',
      true,
      [LOCK, SECURED],
      { [`mode ${mode}`]: [LOCK, mode] },
      false,
    ]),
    ['lock_state', 'locked', [LOCK, SECURED], unknown(LOCK)],
    ['lock_state', 'locked', [LOCK, SECURED], { 'mode 254': [LOCK, 254] }, 'unknown'],
    ['lock_state', 'locked', [LOCK, SECURED], { 'a mode of the future': [LOCK, 99] }, '99'],
    ['open', true, [DOOR_OF_LOCK, 'open'], unknown(DOOR_OF_LOCK, { 'a new word': 'ajar' })],
  ],
  7: [
    ['position', 51, [BLIND, 50], unknown(BLIND, { 'level 254': 254, 'level 255': 255 })],
    ['cover_state', 'open', [BLIND, 99], unknown(BLIND, { 'level 254': 254, 'level 255': 255 })],
  ],
  8: [['motion', true, [MOTION, 8], unknown(MOTION, { 'state 254': 254 })]],
  10: [
    [
      'color',
      { hue: 0, saturation: 100 },
      [COLOR, { red: 255, green: 0, blue: 0, warmWhite: 0, coldWhite: 0 }],
      unknown(COLOR, { 'a channel less': { red: 255, green: null, blue: 0, warmWhite: 0, coldWhite: 0 } }),
    ],
    [
      'color_temperature',
      2_700,
      [COLOR, { red: 0, green: 0, blue: 0, warmWhite: 255, coldWhite: 0 }],
      { 'a color alone': [COLOR, { red: 255, green: 0, blue: 0, warmWhite: 0, coldWhite: 0 }] },
    ],
  ],
};

function updateOf([nodeId, commandClass, property, propertyKey]: Place, form: string | undefined): string {
  const id = JSON.stringify({ commandClass, endpoint: 0, property, propertyKey }).slice(0, -1);
  const value = form === undefined ? '' : `,"newValue":${form}`;
  return `{"type":"event","event":{"source":"node","event":"value updated","nodeId":${nodeId},"args":${id}${value}}}}`;
}

/** The ids of the nodes in the hub have their products. */
function idOf(nodeId: string): string {
  const node = recordedNodes().find((one) => `${one.nodeId}` === nodeId);
  const parts = ['manufacturerId', 'productType', 'productId'].map((name) => Number(node?.[name]));
  return [nodeId, ...parts.map((part) => part.toString(16).padStart(4, '0'))].join('-');
}

async function openWorld(time: ContractTime): Promise<IntegrationUnderTest> {
  const server = await startZwaveServer();
  const world = createZwaveWorld(server.host, time);
  const id = '"commandClass":37,"endpoint":0,"property":"currentValue"';
  return {
    integration: world.create(),
    reopen: world.create,
    logLines: world.lines,
    breakLink: server.unplug,
    healLink: server.plug,
    sendGarbage: async () => {
      for (const payload of hostilePayloads()) {
        const text = payload.toString();
        server.saysRaw(payload);
        server.saysRaw(`{"type":"event","event":${text}}`);
        server.saysRaw(
          `{"type":"event","event":{"source":"node","event":"notification","nodeId":6,"ccId":113,"args":${text}}}`,
        );
        server.saysRaw(`{"type":"event","event":{"source":"node","event":"value updated","nodeId":${text},"args":{}}}`);
        server.saysRaw(
          `{"type":"event","event":{"source":"node","event":"value notification","nodeId":3,"args":${text}}}`,
        );
        server.saysRaw(`{"type":"event","event":{"source":"controller","event":"node removed","node":${text}}}`);
        server.saysRaw(`{"type":"result","success":${text},"messageId":${text},"result":${text}}`);
      }
      server.saysRaw(
        `{"type":"event","event":{"source":"node","event":"value updated","nodeId":2,"args":{${id},"newValue":"yes"}}}`,
      );
      server.saysRaw('{"type":"event","event":{"source":"node","event":"toString","nodeId":2,"args":{"__proto__":1}}}');
    },
    wire: () => server.wire,
    command: { externalId: SWITCH, key: 'on', value: true },
    endings: Object.entries(TOLD).flatMap(([id, told]) =>
      endingsOf(idOf(id), told, ([place, value]) => server.saysRaw(updateOf(place, JSON.stringify(value)))),
    ),
    numbers: {
      externalId: idOf('4'),
      key: 'temperature',
      tell: (form) => server.saysRaw(updateOf(SENSOR, form)),
    },
    openEnds: world.open,
    close: async () => {
      world.close();
      await server.close();
    },
  };
}

describeIntegrationContract('zwave', openWorld);
