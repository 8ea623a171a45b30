import {
  type ContractTime,
  describeIntegrationContract,
  type IntegrationUnderTest,
} from '#test/integrations/contract.ts';
import type { JsonObject } from '#base/json.ts';
import { type Ending, endingsOf, type Told } from '#test/integrations/contract-values.ts';
import { hostilePayloads } from '#test/support/attack/hostile-payloads.ts';
import { type HueBridge, startHueBridge } from '#test/support/hue/hue-bridge.ts';
import { createHueWorld } from '#test/support/hue/hue-world.ts';

type Said = readonly [type: string, change: JsonObject];

/** By the device. The bridge says null, that a reading is not valid, or a word that the hub does not know. */
const TOLD: Readonly<Record<string, readonly Told<Said>[]>> = {
  'Stairs sensor': [
    [
      'temperature',
      20,
      ['temperature', { temperature: { temperature: 20, temperature_valid: true } }],
      {
        null: ['temperature', { temperature: { temperature: null } }],
        'no member': ['temperature', { temperature: null }],
        'not valid': ['temperature', { temperature: { temperature: 20, temperature_valid: false } }],
      },
    ],
    [
      'motion',
      true,
      ['motion', { motion: { motion: true, motion_valid: true } }],
      {
        null: ['motion', { motion: { motion: null } }],
        'not valid': ['motion', { motion: { motion: true, motion_valid: false } }],
      },
    ],
    [
      'illuminance',
      10,
      ['light_level', { light: { light_level: 10_001, light_level_valid: true } }],
      {
        null: ['light_level', { light: { light_level: null } }],
        'not valid': ['light_level', { light: { light_level: 10_001, light_level_valid: false } }],
      },
    ],
    ['x.motion_enabled', true, ['motion', { enabled: true }], { null: ['motion', { enabled: null }] }],
    [
      'x.motion_sensitivity',
      3,
      ['motion', { sensitivity: { sensitivity: 3 } }],
      { null: ['motion', { sensitivity: { sensitivity: null } }] },
    ],
    [
      'battery',
      50,
      ['device_power', { power_state: { battery_level: 50 } }],
      { null: ['device_power', { power_state: { battery_level: null } }] },
    ],
    [
      'battery_state',
      'low',
      ['device_power', { power_state: { battery_state: 'low' } }],
      { null: ['device_power', { power_state: { battery_state: null } }] },
    ],
    [
      'battery_low',
      true,
      ['device_power', { power_state: { battery_state: 'low' } }],
      {
        null: ['device_power', { power_state: { battery_state: null } }],
        'a new word': ['device_power', { power_state: { battery_state: 'charging' } }],
      },
    ],
  ],
  'Front door': [
    [
      'open',
      true,
      ['contact', { contact_report: { state: 'no_contact' } }],
      {
        null: ['contact', { contact_report: { state: null } }],
        'no report': ['contact', { contact_report: null }],
        'a new word': ['contact', { contact_report: { state: 'ajar' } }],
      },
    ],
    [
      'tamper',
      true,
      ['tamper', { tamper_reports: [{ state: 'tampered' }] }],
      {
        null: ['tamper', { tamper_reports: [{ state: null }] }],
        'no reports': ['tamper', { tamper_reports: null }],
        'a new word': ['tamper', { tamper_reports: [{ state: 'unknown' }] }],
      },
    ],
  ],
  Sofa: [
    ['on', true, ['light', { on: { on: true } }], { null: ['light', { on: { on: null } }] }],
    [
      'brightness',
      30,
      ['light', { dimming: { brightness: 30 } }],
      { null: ['light', { dimming: { brightness: null } }], 'no member': ['light', { dimming: null }] },
    ],
    [
      'color_temperature',
      4_000,
      ['light', { color_temperature: { mirek: 250, mirek_valid: true } }],
      {
        null: ['light', { color_temperature: { mirek: null } }],
        'light of a color': ['light', { color_temperature: { mirek: 250, mirek_valid: false } }],
      },
    ],
    [
      'color',
      { x: 0.3, y: 0.4 },
      ['light', { color: { xy: { x: 0.3, y: 0.4 } } }],
      { null: ['light', { color: { xy: null } }] },
    ],
    [
      'effect',
      'candle',
      ['light', { effects_v2: { status: { effect: 'candle' } } }],
      {
        null: ['light', { effects_v2: { status: { effect: null } } }],
        'no status': ['light', { effects_v2: { status: null } }],
      },
    ],
    [
      'x.timed_effect',
      'sunrise',
      ['light', { timed_effects: { status: 'sunrise' } }],
      { null: ['light', { timed_effects: { status: null } }] },
    ],
    [
      'power_on_behavior',
      'previous',
      ['light', { powerup: { preset: 'powerfail' } }],
      { null: ['light', { powerup: { preset: null } }] },
    ],
    ['x.mode', 'normal', ['light', { mode: 'normal' }], { null: ['light', { mode: null }] }],
  ],
  'TV strip': [
    [
      'x.gradient',
      {
        mode: 'interpolated_palette',
        points: [{ color: { xy: { x: 0.3, y: 0.4 } } }, { color: { xy: { x: 0.4, y: 0.3 } } }],
      },
      [
        'light',
        { gradient: { points: [{ color: { xy: { x: 0.3, y: 0.4 } } }, { color: { xy: { x: 0.4, y: 0.3 } } }] } },
      ],
      { null: ['light', { gradient: { points: null } }] },
    ],
  ],
};

/** What the stream says of a resource of the device of this name. */
async function speaker(bridge: HueBridge) {
  const { resources } = await bridge.state();
  return async (deviceId: string, type: string) => {
    const found = resources.find((one) => {
      const owner = one['owner'];
      return (
        one.type === type && typeof owner === 'object' && owner !== null && 'rid' in owner && owner['rid'] === deviceId
      );
    });
    if (found === undefined) throw new Error(`the bridge has no ${type} of ${deviceId}`);
    const { id } = found;
    return (members: string) =>
      bridge.act('says', { text: `data: [{"type":"update","data":[{"id":"${id}","type":"${type}",${members}}]}]\n\n` });
  };
}

async function endingsAt(bridge: HueBridge): Promise<readonly Ending[]> {
  const speak = await speaker(bridge);
  const all: Ending[] = [];
  for (const [name, told] of Object.entries(TOLD)) {
    const id = await bridge.idOf(name);
    all.push(
      ...endingsOf(id, told, async ([type, change]) => (await speak(id, type))(JSON.stringify(change).slice(1, -1))),
    );
  }
  return all;
}

async function openWorld(time: ContractTime): Promise<IntegrationUnderTest> {
  const bridge = await startHueBridge();
  const world = createHueWorld(bridge, time);
  const lamp = await bridge.idOf('Desk');
  const stairs = await bridge.idOf('Stairs sensor');
  const sayTemperature = await (await speaker(bridge))(stairs, 'temperature');
  return {
    integration: world.create(),
    reopen: world.create,
    logLines: world.lines,
    breakLink: () => bridge.act('stop'),
    healLink: () => bridge.act('start'),
    sendGarbage: async () => {
      for (const payload of hostilePayloads()) {
        const text = payload.toString().replaceAll(/[\r\n]/g, ' ');
        await bridge.act('says', { text: `data: ${text}\n\n` });
        await bridge.act('says', { text: `data: [{"type":"update","data":[${text}]}]\n\n` });
      }
      const wrong = { id: await bridge.idOf('Desk'), type: 'light', on: { on: 'yes' }, dimming: { brightness: null } };
      await bridge.act('says', { text: `data: ${JSON.stringify([{ type: 'update', data: [wrong] }])}\n\n` });
    },
    wire: () => world.sent,
    command: { externalId: lamp, key: 'on', value: true },
    endings: await endingsAt(bridge),
    numbers: {
      externalId: stairs,
      key: 'temperature',
      tell: (form) => sayTemperature(`"temperature":{"temperature":${form},"temperature_valid":true}`),
    },
    openEnds: world.open,
    close: async () => {
      world.close();
      await bridge.close();
    },
  };
}

describeIntegrationContract('hue', openWorld);
