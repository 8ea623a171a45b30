import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonValue } from '#base/json.ts';
import type { FromController } from '#integrations/matter/controller-message.ts';
import { devicesFromNode } from '#integrations/matter/mapping/node-devices.ts';
import type { MatterEndpoint, MatterNode } from '#integrations/matter/matter-node.ts';
import {
  type ContractTime,
  describeIntegrationContract,
  type IntegrationUnderTest,
} from '#test/integrations/contract.ts';
import { type Ending, endingsOf, type Told } from '#test/integrations/contract-values.ts';
import { createMatterWorld } from '#test/support/matter/matter-world.ts';

const FIXTURE = join(import.meta.dirname, '../../fixtures/matter/composed-node.json');
const RECORDED = JSON.parse(readFileSync(FIXTURE, 'utf8')) as MatterNode;
const endpoint = (
  number: number,
  type: number,
  { features = {}, ...state }: MatterEndpoint['state'] & { readonly features?: MatterEndpoint['features'] },
): MatterEndpoint => ({
  number,
  parent: 0,
  deviceTypes: [type],
  state: { descriptor: {}, ...state },
  commands: {},
  features,
});
/** What the recorded node lacks. */
const MORE: readonly MatterEndpoint[] = [
  endpoint(20, 0x76, { smokeCoAlarm: { smokeState: 0, coState: 0, batteryAlert: 0, hardwareFaultAlert: false } }),
  endpoint(21, 0x2c, {
    carbonDioxideConcentrationMeasurement: { measuredValue: 400, measurementUnit: 0, measurementMedium: 0 },
  }),
  endpoint(22, 0x74, { rvcOperationalState: { operationalState: 0, operationalError: { errorStateId: 0 } } }),
  endpoint(23, 0x42, { valveConfigurationAndControl: { currentState: 0, currentLevel: 0 } }),
  endpoint(24, 0x11, {
    powerSource: { status: 1, batChargeState: 1 },
    features: { powerSource: ['battery', 'rechargeable'] },
  }),
  endpoint(25, 0x11, { powerSource: { status: 1 }, features: { powerSource: ['wired'] } }),
  endpoint(26, 0x301, { thermostat: { thermostatRunningMode: 0 }, features: { thermostat: ['heating'] } }),
  endpoint(27, 0x510, { electricalEnergyMeasurement: { cumulativeEnergyImported: { energy: 1 } } }),
  endpoint(28, 0x306, { flowMeasurement: { measuredValue: 10 } }),
];
const NODE: MatterNode = { ...RECORDED, endpoints: [...RECORDED.endpoints, ...MORE] };
const LAMP = NODE.endpoints.find(({ state }) => state['onOff'] !== undefined)?.number ?? 0;
const GARBAGE: readonly JsonValue[] = ['yes', -1, 1e300, [], {}, { __proto__: 1 }, 'x'.repeat(10_000)];

/** An attribute with the feature that it is for, a value of it, and the values that say that it is not known. */
type Row = readonly [
  endpoint: number,
  place: string,
  word: string,
  raw: JsonValue,
  known: JsonValue,
  ends?: Readonly<Record<string, JsonValue>>,
  left?: JsonValue,
];

/** Beside null, the standard's word for it. What its clusters have no number for is shown by the number. */
const ROWS: readonly Row[] = [
  [13, 'doorLock.lockState', 'locked', 1, true, { 'not fully locked': 0, 'of the future': 99 }],
  [13, 'doorLock.lockState', 'locked', 1, true, { unlocked: 2, unlatched: 3 }, false],
  [13, 'doorLock.lockState', 'lock_state', 1, 'locked'],
  [13, 'doorLock.lockState', 'lock_state', 1, 'locked', { 'not fully locked': 0 }, 'not_fully_locked'],
  [13, 'doorLock.lockState', 'lock_state', 1, 'locked', { 'of the future': 99 }, 'value_99'],
  [2, 'onOff.onOff', 'on', true, true],
  [2, 'levelControl.currentLevel', 'brightness', 127, 50],
  [4, 'colorControl.colorTemperatureMireds', 'color_temperature', 250, 4_000],
  [7, 'temperatureMeasurement.measuredValue', 'temperature', 2_000, 20],
  [8, 'relativeHumidityMeasurement.measuredValue', 'humidity', 5_000, 50],
  [9, 'illuminanceMeasurement.measuredValue', 'illuminance', 10_001, 10],
  [28, 'flowMeasurement.measuredValue', 'water_flow', 20, 2],
  [5, 'electricalPowerMeasurement.activePower', 'power', 5_000, 5],
  [27, 'electricalEnergyMeasurement.cumulativeEnergyImported', 'energy', { energy: 1_000_000 }, 1],
  [6, 'booleanState.stateValue', 'open', false, true],
  [6, 'powerSource.batPercentRemaining', 'battery', 100, 50],
  [6, 'powerSource.batChargeLevel', 'battery_state', 1, 'warning'],
  [24, 'powerSource.batChargeState', 'charging', 1, true, { unknown: 0 }],
  [25, 'powerSource.status', 'mains_powered', 1, true, { unspecified: 0 }],
  [10, 'occupancySensing.occupancy', 'motion', { occupied: true }, true],
  [12, 'thermostat.localTemperature', 'temperature', 1_900, 19],
  [12, 'thermostat.occupiedHeatingSetpoint', 'target_temperature', 1_900, 19],
  [12, 'thermostat.systemMode', 'thermostat_mode', 4, 'heat'],
  [26, 'thermostat.thermostatRunningMode', 'thermostat_state', 4, 'heat'],
  [14, 'windowCovering.currentPositionLiftPercent100ths', 'position', 6_000, 40],
  [14, 'windowCovering.currentPositionLiftPercent100ths', 'cover_state', 10_000, 'close'],
  [15, 'windowCovering.currentPositionTiltPercent100ths', 'tilt', 6_000, 40],
  [17, 'fanControl.fanMode', 'fan_mode', 1, 'low'],
  [20, 'smokeCoAlarm.smokeState', 'smoke', 1, true],
  [20, 'smokeCoAlarm.coState', 'co_alarm', 2, true],
  [20, 'smokeCoAlarm.hardwareFaultAlert', 'problem', true, true],
  [21, 'carbonDioxideConcentrationMeasurement.measuredValue', 'co2', 600, 600],
  [22, 'rvcOperationalState.operationalState', 'vacuum_state', 1, 'running'],
  [23, 'valveConfigurationAndControl.currentState', 'valve_open', 1, true],
  [23, 'valveConfigurationAndControl.currentLevel', 'x.valve_position', 50, 50],
];

type Change = (endpoint: number, place: string, value: JsonValue) => void;

const SOURCES = devicesFromNode(NODE).devices.flatMap(({ sources }) => sources);
function keyOf(number: number, word: string): string {
  const found = SOURCES.find((source) => source.endpoint === number && source.feature.capability === word);
  if (found === undefined) throw new Error(`endpoint ${number} has no ${word}`);
  return found.feature.key;
}

function endingsIn(change: Change): readonly Ending[] {
  const plain = ROWS.flatMap(([number, place, word, raw, known, ends, left = null]) => {
    const told: Told<JsonValue> = [
      keyOf(number, word),
      known,
      raw,
      left === null ? { null: null, ...ends } : { ...ends },
      left,
    ];
    return endingsOf(NODE.nodeId, [told], (value) => change(number, place, value));
  });
  const show = (mode: number): void => {
    change(4, 'colorControl.colorTemperatureMireds', 250);
    change(4, 'colorControl.colorMode', mode);
  };
  const [point, white] = [keyOf(4, 'color'), keyOf(4, 'color_temperature')];
  // While a lamp shows one of its two kinds of light, the other is one from before.
  const modes = endingsOf<number>(
    NODE.nodeId,
    [
      [white, 4_000, 2, { 'light of a color': 1 }],
      [point, { x: 0.3805, y: 0.3769 }, 1, { 'white light': 2 }],
    ],
    show,
  );
  // A fan that chooses its speed by itself says at least how it turns.
  const speeds = endingsOf<readonly [JsonValue, JsonValue]>(
    NODE.nodeId,
    [
      [keyOf(17, 'fan_speed'), 60, [60, 60], { 'by itself': [null, 40] }, 40],
      [keyOf(17, 'fan_speed'), 60, [60, 60], { null: [null, null] }],
    ],
    ([setting, current]) => {
      change(17, 'fanControl.percentSetting', setting);
      change(17, 'fanControl.percentCurrent', current);
    },
  );
  return [...plain, ...modes, ...speeds];
}

async function openWorld(time: ContractTime): Promise<IntegrationUnderTest> {
  const world = createMatterWorld([NODE], time.startTimer);
  const garbage = (value: JsonValue): readonly FromController[] => [
    {
      type: 'changes',
      nodeId: NODE.nodeId,
      changes: [{ endpoint: LAMP, cluster: 'onOff', attribute: 'onOff', value }],
    },
    { type: 'changes', nodeId: 'nobody', changes: [{ endpoint: 1, cluster: 'onOff', attribute: 'onOff', value }] },
    { type: 'occurrence', nodeId: NODE.nodeId, occurrence: { endpoint: 999, cluster: 'switch', event: 'x', data: {} } },
    {
      type: 'occurrence',
      nodeId: NODE.nodeId,
      occurrence: { endpoint: LAMP, cluster: 'switch', event: 'initialPress', data: { newPosition: value } },
    },
    { type: 'reach', nodeId: 'nobody', reach: 'offline' },
    { type: 'gone', nodeId: 'nobody' },
    { type: 'answer', seq: 12_345, refusal: null },
  ];
  const change: Change = (number, place, value) => {
    const [cluster = '', attribute = ''] = place.split('.');
    world.say({ type: 'changes', nodeId: NODE.nodeId, changes: [{ endpoint: number, cluster, attribute, value }] });
  };
  return {
    integration: world.create(),
    reopen: world.create,
    logLines: world.lines,
    breakLink: async () => world.kill(),
    healLink: async () => world.heal(),
    sendGarbage: async () => {
      for (const message of GARBAGE.flatMap(garbage)) world.say(message);
    },
    wire: () => world.wire,
    command: { externalId: NODE.nodeId, key: 'on', value: true },
    endings: endingsIn(change),
    numbers: {
      externalId: NODE.nodeId,
      key: keyOf(7, 'temperature'),
      tell: (form) => change(7, 'temperatureMeasurement.measuredValue', JSON.parse(form) as JsonValue),
      shown: (hundredths) => hundredths / 100,
    },
    openEnds: world.running,
    close: async () => world.kill(),
  };
}

describeIntegrationContract('matter', openWorld);
