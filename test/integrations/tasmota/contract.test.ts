import {
  type ContractTime,
  describeIntegrationContract,
  type IntegrationUnderTest,
} from '#test/integrations/contract.ts';
import type { JsonObject } from '#base/json.ts';
import { endingsOf, type Told } from '#test/integrations/contract-values.ts';
import { hostilePayloads } from '#test/support/attack/hostile-payloads.ts';
import { startBroker } from '#test/support/peers/broker.ts';
import { startTasmotaDevice, TASMOTA_MAC } from '#test/support/tasmota/tasmota-device.ts';
import { createTasmotaWorld } from '#test/support/tasmota/tasmota-world.ts';

/** In a report of the sensors, or of the outputs. Tasmota says null for what a sensor does not know. */
type Said = readonly ['tele/SENSOR' | 'tele/STATE', JsonObject];
const sensed = (members: JsonObject): Said => ['tele/SENSOR', members];
const stated = (members: JsonObject): Said => ['tele/STATE', members];
const shutter = (members: JsonObject): Said =>
  sensed({ Shutter1: { Position: 40, Direction: 0, Tilt: 0, ...members } });
const wire = (temperature: number | null): Said =>
  sensed({ 'DS18B20-1': { Id: '000001A2B3C4', Temperature: temperature } });

const TOLD: readonly Told<Said>[] = [
  ['output_1.on', true, stated({ POWER1: 'ON' }), { null: stated({ POWER1: null }) }],
  ['output_2.brightness', 60, stated({ Dimmer: 60 }), { null: stated({ Dimmer: null }) }],
  [
    'output_2.color',
    { hue: 120, saturation: 50 },
    stated({ HSBColor: '120,50,80' }),
    { null: stated({ HSBColor: null }) },
  ],
  [
    'output_2.color_temperature',
    4_000,
    stated({ CT: 250, White: 80, HSBColor: '0,0,0' }),
    { null: stated({ CT: null }), 'a color alone': stated({ CT: 250, White: 0, HSBColor: '30,100,50' }) },
  ],
  ['fan_mode', 'low', stated({ FanSpeed: 1 }), { null: stated({ FanSpeed: null }) }],
  ['signal_strength', -60, stated({ Wifi: { Signal: -60 } }), { null: stated({ Wifi: { Signal: null } }) }],
  ['output_3.position', 40, shutter({}), { null: shutter({ Position: null }) }],
  ['output_3.cover_state', 'stop', shutter({}), { null: shutter({ Position: null }) }],
  ['output_3.cover_state', 'open', shutter({ Direction: 1 }), { null: shutter({ Direction: null }) }],
  ['output_3.tilt', 50, shutter({}), { null: shutter({ Tilt: null }) }],
  ['switch_1.x.input', true, sensed({ Door: 'ON' }), { null: sensed({ Door: null }) }],
  ['humidity', 61, sensed({ AM2301: { Humidity: 61 } }), { null: sensed({ AM2301: { Humidity: null } }) }],
  ['ds18b20_000001a2b3c4.temperature', 19, wire(19), { null: wire(null) }],
  ['energy_2.power', 5, sensed({ ENERGY: { Power: [1, 5] } }), { null: sensed({ ENERGY: { Power: [1, null] } }) }],
  ['x.a0', 5, sensed({ ANALOG: { A0: 5 } }), { null: sensed({ ANALOG: { A0: null } }) }],
];

async function openWorld(time: ContractTime): Promise<IntegrationUnderTest> {
  const broker = await startBroker();
  const device = await startTasmotaDevice(broker, 'everything');
  const world = createTasmotaWorld(broker.url, time);
  return {
    integration: world.create(),
    reopen: world.create,
    logLines: world.lines,
    breakLink: broker.stop,
    healLink: broker.start,
    sendGarbage: async () => {
      const own = ['tele/STATE', 'tele/SENSOR', 'tele/LWT', 'stat/RESULT', 'stat/STATUS10', 'stat/POWER'];
      const topics = [
        ...own.map((name) => name.replace('/', `/${device.topic()}/`)),
        `tasmota/discovery/${TASMOTA_MAC}/sensors/x`,
        'tasmota/discovery/FFFFFFFFFFFF/config',
        'tasmota/discovery/nothing/config',
      ];
      for (const topic of topics) {
        for (const payload of hostilePayloads()) if (payload.length > 0) await broker.publish(topic, payload);
      }
      await device.publish('stat/RESULT', { POWER: 7, ENERGY: { Power: 'much' }, Wifi: null, __proto__: null });
    },
    wire: () => device.wire,
    command: { externalId: TASMOTA_MAC, key: 'output_1.on', value: true },
    endings: endingsOf(TASMOTA_MAC, TOLD, ([topic, members]) => device.publish(topic, members)),
    numbers: {
      externalId: TASMOTA_MAC,
      key: 'am2301.temperature',
      tell: (form) => device.publish('tele/SENSOR', `{"AM2301":{"Temperature":${form}},"TempUnit":"C"}`),
    },
    openEnds: () => broker.connections() + broker.subscriptions().size,
    close: broker.close,
  };
}

describeIntegrationContract('tasmota', openWorld);
