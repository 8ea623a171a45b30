import type { JsonObject } from '#base/json.ts';
import type { Integration } from '#integrations/integration.ts';
import { createBrokeredZigbee2mqtt } from '#test/support/kinds/mqtt-broker-instance.ts';
import {
  type ContractTime,
  describeIntegrationContract,
  type IntegrationUnderTest,
} from '#test/integrations/contract.ts';
import { endingsOf, type Told } from '#test/integrations/contract-values.ts';
import { startBroker } from '#test/support/peers/broker.ts';
import { deviceEntry } from '#test/support/peers/device-definitions.ts';
import { startFakeZigbee2mqtt } from '#test/support/peers/fake-zigbee2mqtt.ts';
import { hostilePayloads } from '#test/support/attack/hostile-payloads.ts';
import { createRecordingLog } from '#test/support/hub/recording-log.ts';

const BULB: Record<string, unknown> = { ...deviceEntry('IKEA/LED1624G9'), friendly_name: 'Living room/Lamp' };
const SENSOR: Record<string, unknown> = { ...deviceEntry('SONOFF/SNZB-02D'), friendly_name: 'Balcony' };

const LOCK = { ...deviceEntry('Danalock/V3-BTZB/V3-BTZBE'), friendly_name: 'Door' };
const CONTACT = { ...deviceEntry('Aqara/MCCGQ11LM'), friendly_name: 'Window' };
const VALVE = { ...deviceEntry('Eurotronic/SPZB0001'), friendly_name: 'Radiator' };
const BLIND = { ...deviceEntry('IKEA/E1757'), friendly_name: 'Blind' };
const DETECTOR = { ...deviceEntry('Aqara/SJCGQ11LM'), friendly_name: 'Leak' };
const ALL: readonly Record<string, unknown>[] = [BULB, SENSOR, LOCK, CONTACT, VALVE, BLIND, DETECTOR];

const LOCKED = { state: 'LOCK', lock_state: 'locked' };
/** Zigbee2MQTT says null for what it does not know. */
const nulled = (key: string, known: Told<JsonObject>[1], tell: JsonObject): Told<JsonObject> => [
  key,
  known,
  tell,
  { null: Object.fromEntries(Object.keys(tell).map((name) => [name, null])) },
];
const TOLD: readonly (readonly [name: string, told: readonly Told<JsonObject>[]])[] = [
  [
    'Living room/Lamp',
    [
      nulled('on', true, { state: 'ON' }),
      nulled('brightness', 50, { brightness: 127 }),
      nulled('color_temperature', 4_000, { color_temp: 250 }),
      nulled('color', { x: 0.3, y: 0.4 }, { color: { x: 0.3, y: 0.4 } }),
      nulled('power_on_behavior', 'on', { power_on_behavior: 'on' }),
      // The other one of its two kinds of light is one from before.
      [
        'color_temperature',
        4_000,
        { color_mode: 'color_temp', color_temp: 250 },
        { 'light of a color': { color_mode: 'xy', color_temp: 250, color: { x: 0.3, y: 0.4 } } },
      ],
      [
        'color',
        { x: 0.3, y: 0.4 },
        { color_mode: 'xy', color: { x: 0.3, y: 0.4 } },
        { 'white light': { color_mode: 'color_temp', color_temp: 250, color: { x: 0.3, y: 0.4 } } },
      ],
      [
        'start_up_color_temperature',
        4_000,
        { color_temp_startup: 250 },
        { 'as before': { color_temp_startup: 65_535 } },
      ],
    ],
  ],
  ['Balcony', [nulled('temperature', 21, { temperature: 21 }), nulled('humidity', 50, { humidity: 50 })]],
  [
    'Door',
    [
      nulled('locked', true, LOCKED),
      [
        'locked',
        true,
        LOCKED,
        {
          'a state without a lock': { state: null },
          'a new word': { state: 'UNLATCH' },
          unknown: { state: 'unknown' },
          'not fully locked': { state: 'LOCK', lock_state: 'not_fully_locked' },
          'a new state': { state: 'LOCK', lock_state: 'jammed' },
          'no state': { ...LOCKED, lock_state: null, state: null },
        },
      ],
      ['locked', true, LOCKED, { unlocked: { state: 'UNLOCK', lock_state: 'unlocked' } }, false],
      ['lock_state', 'locked', LOCKED, { null: { lock_state: null } }],
      ['lock_state', 'locked', LOCKED, { 'a new state': { lock_state: 'jammed' } }, 'jammed'],
    ],
  ],
  ['Window', [nulled('open', true, { contact: false })]],
  [
    'Radiator',
    [
      nulled('target_temperature', 20, { occupied_heating_setpoint: 20 }),
      nulled('temperature', 20, { local_temperature: 20 }),
      nulled('thermostat_mode', 'auto', { system_mode: 'auto' }),
      nulled('thermostat_state', 'heat', { running_state: 'heat' }),
    ],
  ],
  ['Blind', [nulled('cover_state', 'open', { state: 'OPEN' }), nulled('position', 40, { position: 40 })]],
  ['Leak', [nulled('water_leak', true, { water_leak: true })]],
];

async function openWorld(time: ContractTime): Promise<IntegrationUnderTest> {
  const broker = await startBroker();
  const peer = await startFakeZigbee2mqtt(broker, ALL);
  const { log, lines } = createRecordingLog();
  const create = (): Integration => createBrokeredZigbee2mqtt({ url: broker.url }, { log, ...time, random: () => 0.5 });
  return {
    integration: create(),
    reopen: create,
    logLines: lines,
    breakLink: broker.stop,
    healLink: broker.start,
    sendGarbage: async () => {
      const topics = [
        'bridge/devices',
        'bridge/state',
        'bridge/event',
        'bridge/logging',
        'bridge/response/device/remove',
      ];
      for (const topic of [...topics, 'Living room/Lamp', 'Balcony/availability']) {
        for (const payload of hostilePayloads()) await broker.publish(`zigbee2mqtt/${topic}`, payload);
      }
      await peer.publish('Balcony', { temperature: 'warm', battery: null, action: 7, humidity: [], __proto__: null });
    },
    wire: () => broker.received.filter(({ topic }) => topic.endsWith('/set')),
    command: { externalId: String(BULB['ieee_address']), key: 'on', value: true },
    endings: TOLD.flatMap(([name, told]) => {
      const entry = ALL.find((one) => one['friendly_name'] === name);
      return endingsOf(String(entry?.['ieee_address']), told, (state) => peer.publish(name, state));
    }),
    numbers: {
      externalId: String(SENSOR['ieee_address']),
      key: 'temperature',
      tell: (form) => peer.publish('Balcony', `{"temperature":${form}}`),
    },
    openEnds: () => broker.connections() + broker.subscriptions().size,
    close: broker.close,
  };
}

describeIntegrationContract('zigbee2mqtt', openWorld);
