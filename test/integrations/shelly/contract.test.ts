import {
  type ContractTime,
  describeIntegrationContract,
  type IntegrationUnderTest,
} from '#test/integrations/contract.ts';
import type { JsonObject } from '#base/json.ts';
import { endingsOf, type Told } from '#test/integrations/contract-values.ts';
import { hostilePayloads } from '#test/support/attack/hostile-payloads.ts';
import { startShellyDevice } from '#test/support/shelly/shelly-device.ts';
import { SHELLY_MAC } from '#test/support/shelly/shelly-dumps.ts';
import { createShellyWorld } from '#test/support/shelly/shelly-world.ts';

/** Members of a status that may be null, each with the feature that it is for. */
const NULLED: readonly (readonly [key: string, known: unknown, from: string, status: JsonObject, ended: JsonObject])[] =
  [
    ['switch_0.on', true, 'switch:0', { output: true }, { output: null }],
    ['switch_0.power', 7.5, 'switch:0', { apower: 7.5 }, { apower: null }],
    ['switch_0.energy', 1.5, 'switch:0', { aenergy: { total: 1_500 } }, { aenergy: { total: null } }],
    ['switch_0.device_temperature', 40, 'switch:0', { temperature: { tC: 40 } }, { temperature: { tC: null } }],
    ['light_0.brightness', 30, 'light:0', { brightness: 30 }, { brightness: null }],
    ['rgbw_0.color', { hue: 240, saturation: 100 }, 'rgbw:0', { rgb: [0, 0, 255] }, { rgb: null }],
    ['rgbw_0.x.white', 100, 'rgbw:0', { white: 255 }, { white: null }],
    ['cct_0.color_temperature', 4_000, 'cct:0', { ct: 4_000 }, { ct: null }],
    ['cover_0.position', 30, 'cover:0', { current_pos: 30 }, { current_pos: null }],
    ['cover_0.tilt', 30, 'cover:0', { slat_pos: 30 }, { slat_pos: null }],
    ['input_0.x.input', true, 'input:0', { state: true }, { state: null }],
    ['input_1.x.level', 50, 'input:1', { percent: 50 }, { percent: null }],
    ['temperature', 21.5, 'temperature:0', { tC: 21.5 }, { tC: null }],
    ['humidity', 50, 'humidity:0', { rh: 50 }, { rh: null }],
    ['illuminance', 50, 'illuminance:0', { lux: 50 }, { lux: null }],
    ['x.light', 'dark', 'illuminance:0', { illumination: 'dark' }, { illumination: null }],
    ['voltage', 5, 'voltmeter:100', { voltage: 5 }, { voltage: null }],
    ['smoke', true, 'smoke:0', { alarm: true }, { alarm: null }],
    ['water_leak', true, 'flood:0', { alarm: true }, { alarm: null }],
    ['battery', 50, 'devicepower:0', { battery: { percent: 50 } }, { battery: { percent: null } }],
    ['mains_powered', true, 'devicepower:0', { external: { present: true } }, { external: { present: null } }],
    ['target_temperature', 21, 'thermostat:0', { target_C: 21 }, { target_C: null }],
    ['thermostat_state', 'heat', 'thermostat:0', { output: true }, { output: null }],
    ['number_200.x.value', 13, 'number:200', { value: 13 }, { value: null }],
  ];
const ERROR = { errors: ['read'] };
const WELL = { errors: [] };

const TOLD: readonly Told<JsonObject>[] = [
  ...NULLED.map(([key, known, from, status, ended]): Told<JsonObject> => [
    key,
    known as Told<JsonObject>[1],
    { [from]: status },
    { null: { [from]: ended } },
  ]),
  ['temperature', 21.5, { 'temperature:0': { tC: 21.5, ...WELL } }, { 'an error': { 'temperature:0': ERROR } }],
  ['humidity', 50, { 'humidity:0': { rh: 50, ...WELL } }, { 'an error': { 'humidity:0': ERROR } }],
  [
    'x.light',
    'dark',
    { 'illuminance:0': { illumination: 'dark', ...WELL } },
    { 'an error': { 'illuminance:0': ERROR } },
  ],
  ['smoke', false, { 'smoke:0': { alarm: false, ...WELL } }, { 'an error': { 'smoke:0': ERROR } }],
  // An alarm that is raised is believed, whatever is wrong with its detector.
  ['smoke', true, { 'smoke:0': { alarm: true, ...WELL } }, { 'an error': { 'smoke:0': ERROR } }, true],
  ['water_leak', false, { 'flood:0': { alarm: false, ...WELL } }, { 'an error': { 'flood:0': ERROR } }],
  [
    'cover_0.cover_state',
    'open',
    { 'cover:0': { state: 'open' } },
    { null: { 'cover:0': { state: null } }, 'on its way to know': { 'cover:0': { state: 'calibrating' } } },
  ],
  ['cover_0.cover_state', 'open', { 'cover:0': { state: 'open' } }, { 'a new word': { 'cover:0': { state: 'lost' } } }],
  [
    'cover_0.x.movement',
    'open',
    { 'cover:0': { state: 'open' } },
    { null: { 'cover:0': { state: null } }, 'a new word': { 'cover:0': { state: 'lost' } } },
  ],
];

async function openWorld(time: ContractTime): Promise<IntegrationUnderTest> {
  const device = await startShellyDevice('everything');
  const world = createShellyWorld(device.host, time);
  return {
    integration: world.create(),
    reopen: world.create,
    logLines: world.lines,
    breakLink: device.unplug,
    healLink: device.plug,
    sendGarbage: async () => {
      for (const payload of hostilePayloads()) {
        const text = payload.toString();
        device.says(payload);
        device.says(`{"method":"NotifyStatus","params":{"switch:0":${text},"sys":{"available_updates":${text}}}}`);
        device.says(`{"method":"NotifyEvent","params":{"events":${text}}}`);
        device.says(`{"id":${text},"result":${text}}`);
      }
      device.says('{"method":"NotifyStatus","params":{"switch:0":{"output":"yes","apower":1e999},"switch:9":{}}}');
      device.says('{"method":"NotifyEvent","params":{"events":[{"component":"switch:0","event":"toString"},null]}}');
    },
    wire: () => device.wire,
    command: { externalId: SHELLY_MAC, key: 'switch_0.on', value: true },
    endings: endingsOf(SHELLY_MAC, TOLD, (params) => device.says(JSON.stringify({ method: 'NotifyStatus', params }))),
    numbers: {
      externalId: SHELLY_MAC,
      key: 'temperature',
      tell: (form) => device.says(`{"method":"NotifyStatus","params":{"temperature:0":{"tC":${form}}}}`),
    },
    openEnds: world.open,
    close: async () => {
      world.close();
      await device.close();
    },
  };
}

describeIntegrationContract('shelly', openWorld);
