import type { Integration } from '#integrations/integration.ts';
import { hostilePayloads } from '#test/support/attack/hostile-payloads.ts';
import { createRecordingLog } from '#test/support/hub/recording-log.ts';
import { createBrokeredDiscovery } from '#test/support/kinds/discovery-instance.ts';
import { endingsOf, type Told } from '#test/integrations/contract-values.ts';
import { startBroker } from '#test/support/peers/broker.ts';
import {
  type ContractTime,
  describeIntegrationContract,
  type IntegrationUnderTest,
} from '#test/integrations/contract.ts';

const DEVICE = { ids: ['relay-1'], name: 'Relay', mf: 'Maker', mdl: 'R1' };
const SWITCH = { '~': 'relay', name: null, uniq_id: 'relay-1-on', cmd_t: '~/set', stat_t: '~/state' };
const SENSOR = {
  name: 'Temperature',
  uniq_id: 'relay-1-t',
  stat_t: 'relay/t',
  dev_cla: 'temperature',
  unit_of_meas: '°C',
  val_tpl: '{{ value_json.t }}',
};

/** One entity of each kind that says a state, each on the topic of its own name. */
const MORE: Readonly<Record<string, object>> = {
  binary_sensor: { dev_cla: 'window' },
  lock: { cmd_t: 'relay/lock' },
  number: { cmd_t: 'relay/number', max: 1_000 },
  select: { cmd_t: 'relay/select', options: ['low', 'high'] },
  cover: { cmd_t: 'relay/cover', pos_t: 'relay/cover/position' },
  valve: { cmd_t: 'relay/valve' },
  alarm_control_panel: { cmd_t: 'relay/alarm' },
  climate: { mode_cmd_t: 'relay/m', mode_stat_t: 'relay/climate', curr_temp_t: 'relay/climate/t' },
  device_tracker: {},
  siren: { cmd_t: 'relay/siren' },
};
/** All in one message, so that the device is whole at once. */
const ANNOUNCED = {
  dev: DEVICE,
  o: { name: 'test' },
  cmps: {
    on: { p: 'switch', ...SWITCH },
    t: { p: 'sensor', ...SENSOR },
    note: { p: 'sensor', name: 'Note', uniq_id: 'relay-1-note', stat_t: 'relay/note' },
    ...Object.fromEntries(
      Object.entries(MORE).map(([component, config]) => [
        component,
        { p: component, name: component, uniq_id: `relay-1-${component}`, stat_t: `relay/${component}`, ...config },
      ]),
    ),
  },
};

type Said = readonly [topic: string, text: string];
const said = (topic: string, text: string): Said => [`relay/${topic}`, text];
const words = (topic: string, texts: readonly string[]): Readonly<Record<string, Said>> =>
  Object.fromEntries(texts.map((text) => [text, said(topic, text)]));
/** What Home Assistant's own states are while nobody knows them, as some publishers pass them on. */
const NO_STATES = ['None', 'unknown', 'unavailable'];

const TOLD: readonly Told<Said>[] = [
  ['on', true, said('state', 'ON'), words('state', ['None'])],
  ['temperature', 21, said('t', '{"t":21}'), words('t', ['{"t":null}', '{"t":"None"}', '{"t":"unavailable"}'])],
  ['x.note', 'well', said('note', 'well'), words('note', NO_STATES)],
  ['binary_sensor.open', true, said('binary_sensor', 'ON'), words('binary_sensor', NO_STATES)],
  [
    'locked',
    true,
    said('lock', 'LOCKED'),
    words('lock', [...NO_STATES, 'JAMMED', 'LOCKING', 'UNLOCKING', 'OPENING', 'UNLATCHED', 'locked']),
  ],
  ['locked', true, said('lock', 'LOCKED'), words('lock', ['UNLOCKED', 'OPEN']), false],
  ['lock_state', 'locked', said('lock', 'LOCKED'), words('lock', [...NO_STATES, 'UNLATCHED'])],
  ['lock_state', 'locked', said('lock', 'LOCKED'), words('lock', ['JAMMED']), 'jammed'],
  ['x.number', 5, said('number', '5'), words('number', ['None'])],
  ['x.select', 'low', said('select', 'low'), words('select', ['None', 'none'])],
  ['cover.cover_state', 'open', said('cover', 'open'), words('cover', ['None'])],
  ['valve.valve_open', true, said('valve', 'open'), words('valve', ['None'])],
  [
    'alarm_control_panel.arm_mode',
    'armed_away',
    said('alarm_control_panel', 'armed_away'),
    words('alarm_control_panel', ['None', 'pending', 'triggered']),
  ],
  ['climate.thermostat_mode', 'heat', said('climate', 'heat'), words('climate', ['None'])],
  ['climate.temperature', 20, said('climate/t', '20'), words('climate/t', ['None'])],
  ['device_tracker.presence', true, said('device_tracker', 'home'), words('device_tracker', ['None'])],
  ['siren.siren', true, said('siren', 'ON'), words('siren', ['None'])],
];

async function openWorld(time: ContractTime): Promise<IntegrationUnderTest> {
  const broker = await startBroker();
  const announce = async (): Promise<void> => {
    await broker.publish('homeassistant/device/relay/config', JSON.stringify(ANNOUNCED), true);
  };
  await announce();
  broker.onPublish(({ topic, payload }) => {
    if (topic === 'relay/set') void broker.publish('relay/state', payload);
    // A publisher answers the birth message, as it must when the broker has lost what it kept.
    if (topic === 'homeassistant/status') void announce();
  });
  const { log, lines } = createRecordingLog();
  const create = (): Integration => createBrokeredDiscovery({ url: broker.url }, { log, ...time });
  return {
    integration: create(),
    reopen: create,
    logLines: lines,
    breakLink: broker.stop,
    healLink: broker.start,
    sendGarbage: async () => {
      const all = hostilePayloads();
      for (const topic of ['switch/other', 'device/other', 'x/y/z']) {
        for (const payload of all.filter((one) => !isObject(one))) {
          await broker.publish(`homeassistant/${topic}/config`, payload);
        }
      }
      for (const topic of ['relay/state', 'relay/t']) for (const payload of all) await broker.publish(topic, payload);
    },
    wire: () => broker.received.filter(({ topic }) => topic === 'relay/set'),
    command: { externalId: 'relay-1', key: 'on', value: true },
    endings: endingsOf('relay-1', TOLD, ([topic, text]) => broker.publish(topic, text)),
    numbers: {
      externalId: 'relay-1',
      key: 'temperature',
      tell: (form) => broker.publish('relay/t', `{"t":${form}}`),
      // An empty text is no news in Home Assistant, and a template reads no number that is too large.
      silent: ['""', '" "', '1e999'],
    },
    openEnds: () => broker.connections() + broker.subscriptions().size,
    close: broker.close,
  };
}

/** Any object announces something, which is shown as not understood. */
function isObject(payload: string | Buffer): boolean {
  try {
    const value: unknown = JSON.parse(payload.toString());
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

describeIntegrationContract('home_assistant_discovery', openWorld);
