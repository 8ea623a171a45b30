// A Matter device or bridge for tests, by the library that the hub has too: node device.mjs FOLDER PORT '{"kind": "composed" |
// "bridge", "only"?: […], "count"?: N, "passcode"?: …, "discriminator"?: …, "clock"?: true, "sleeps"?: true, "freezesAt"?: "keys" | "end"}'. What it must remember is in the folder. It
// reads one call per line, and answers with a line: {"id", "result" | "error"}.
import { createInterface } from 'node:readline';
import { Endpoint, Environment, Logger, LogLevel, ServerNode, VendorId } from '@matter/main';
import { ManualPairingCodeCodec } from '@matter/main/types';
import { AggregatorEndpoint } from '@matter/main/endpoints/aggregator';
import { OnOffLightDevice } from '@matter/main/devices/on-off-light';
import { DimmableLightDevice } from '@matter/main/devices/dimmable-light';
import { ColorTemperatureLightDevice } from '@matter/main/devices/color-temperature-light';
import { ExtendedColorLightDevice } from '@matter/main/devices/extended-color-light';
import { OnOffPlugInUnitDevice } from '@matter/main/devices/on-off-plug-in-unit';
import { ContactSensorDevice } from '@matter/main/devices/contact-sensor';
import { TemperatureSensorDevice } from '@matter/main/devices/temperature-sensor';
import { HumiditySensorDevice } from '@matter/main/devices/humidity-sensor';
import { LightSensorDevice } from '@matter/main/devices/light-sensor';
import { OccupancySensorDevice } from '@matter/main/devices/occupancy-sensor';
import { WaterLeakDetectorDevice } from '@matter/main/devices/water-leak-detector';
import { ThermostatDevice } from '@matter/main/devices/thermostat';
import { DoorLockDevice } from '@matter/main/devices/door-lock';
import { WindowCoveringDevice } from '@matter/main/devices/window-covering';
import { GenericSwitchDevice } from '@matter/main/devices/generic-switch';
import { FanDevice } from '@matter/main/devices/fan';
import { BridgedDeviceBasicInformationServer } from '@matter/main/behaviors/bridged-device-basic-information';
import { PowerSourceServer } from '@matter/main/behaviors/power-source';
import { ThermostatServer } from '@matter/main/behaviors/thermostat';
import { WindowCoveringServer } from '@matter/main/behaviors/window-covering';
import { SwitchServer } from '@matter/main/behaviors/switch';
import { OccupancySensingServer } from '@matter/main/behaviors/occupancy-sensing';
import { FanControlServer } from '@matter/main/behaviors/fan-control';
import { ColorControlServer } from '@matter/main/behaviors/color-control';
import { DoorLockServer } from '@matter/main/behaviors/door-lock';
import { ElectricalPowerMeasurementServer } from '@matter/main/behaviors/electrical-power-measurement';
import { OperationalCredentialsServer } from '@matter/main/behaviors/operational-credentials';
import { IcdManagementServer } from '@matter/main/behaviors/icd-management';
import { LocalizationConfigurationServer } from '@matter/main/behaviors/localization-configuration';
import { TimeFormatLocalizationServer } from '@matter/main/behaviors/time-format-localization';
import { TimeSynchronizationServer } from '@matter/main/behaviors/time-synchronization';
import { UnitLocalizationServer } from '@matter/main/behaviors/unit-localization';
import { PowerTopologyServer } from '@matter/main/behaviors/power-topology';

const [folder, port, options = '{}'] = process.argv.slice(2);
const { kind = 'composed', only, count = 0, passcode = 20202021, discriminator = 3840, ...own } = JSON.parse(options);
Logger.level = LogLevel.FATAL;
const environment = Environment.default;
environment.vars.set('storage.path', folder);

const battery = PowerSourceServer.with('Battery');
const batteryState = {
  status: 1,
  order: 1,
  description: 'Battery',
  batPercentRemaining: 164,
  batChargeLevel: 0,
  batReplaceability: 2,
  batReplacementNeeded: false,
  batQuantity: 1,
  batReplacementDescription: 'CR2032',
};
const Cover = WindowCoveringServer.with('Lift', 'PositionAwareLift');
const CoverTilt = WindowCoveringServer.with('Lift', 'PositionAwareLift', 'Tilt', 'PositionAwareTilt');
// A cover that takes time: 10 % every 200 ms, can be stopped.
const moving = (Base) =>
  class extends Base {
    static moves = new Map();
    async handleMovement(type, ...way) {
      const target = way.at(-1);
      const lift = type === 0;
      const key = lift ? 'currentPositionLiftPercent100ths' : 'currentPositionTiltPercent100ths';
      const endpoint = this.endpoint;
      const id = `${endpoint.id}.${key}`;
      clearInterval(this.constructor.moves.get(id));
      const timer = setInterval(() => {
        const at = endpoint.stateOf(Base)[key] ?? 0;
        if (at === target) {
          clearInterval(timer);
          return;
        }
        const next = at + Math.sign(target - at) * Math.min(1000, Math.abs(target - at));
        endpoint.setStateOf(Base, { [key]: next }).catch((cause) => process.stderr.write(`${wordsOf(cause)}\n`));
      }, 200);
      this.constructor.moves.set(id, timer);
    }
    handleStopMovement() {
      for (const [id, timer] of this.constructor.moves) if (id.startsWith(`${this.endpoint.id}.`)) clearInterval(timer);
      return super.handleStopMovement();
    }
  };
const Button = SwitchServer.with(
  'MomentarySwitch',
  'MomentarySwitchRelease',
  'MomentarySwitchLongPress',
  'MomentarySwitchMultiPress',
);
const Heat = ThermostatServer.with('Heating', 'Cooling', 'AutoMode', 'Occupancy');
const power = ElectricalPowerMeasurementServer.with('AlternatingCurrent');

const range = (measurementType, min, max) => ({
  measurementType,
  measured: true,
  minMeasuredValue: min,
  maxMeasuredValue: max,
  accuracyRanges: [{ rangeMin: min, rangeMax: max, percentMax: 100 }],
});
const all = {
  onoff: [OnOffLightDevice, {}],
  dim: [DimmableLightDevice, { levelControl: { currentLevel: 254 } }],
  ct: [
    ColorTemperatureLightDevice,
    {
      levelControl: { currentLevel: 128 },
      colorControl: {
        colorTempPhysicalMinMireds: 153,
        colorTempPhysicalMaxMireds: 500,
        coupleColorTempToLevelMinMireds: 153,
        colorTemperatureMireds: 250,
        colorMode: 2,
        enhancedColorMode: 2,
      },
    },
  ],
  color: [
    ExtendedColorLightDevice.with(ColorControlServer.with('Xy', 'ColorTemperature', 'HueSaturation')),
    {
      levelControl: { currentLevel: 200 },
      colorControl: {
        colorTempPhysicalMinMireds: 153,
        colorTempPhysicalMaxMireds: 500,
        coupleColorTempToLevelMinMireds: 153,
        colorTemperatureMireds: 300,
        colorMode: 2,
        enhancedColorMode: 2,
        currentX: 24939,
        currentY: 24701,
      },
    },
  ],
  plug: [
    OnOffPlugInUnitDevice.with(power, PowerTopologyServer.with('TreeTopology')),
    {
      electricalPowerMeasurement: {
        powerMode: 2,
        numberOfMeasurementTypes: 1,
        accuracy: [range(5, 0, 3_680_000)],
        activePower: 12_345,
        voltage: 230_100,
        activeCurrent: 53,
      },
    },
  ],
  contact: [ContactSensorDevice.with(battery), { booleanState: { stateValue: true }, powerSource: batteryState }],
  temperature: [
    TemperatureSensorDevice,
    { temperatureMeasurement: { measuredValue: 2150, minMeasuredValue: -4000, maxMeasuredValue: 12500 } },
  ],
  humidity: [
    HumiditySensorDevice,
    { relativeHumidityMeasurement: { measuredValue: 4520, minMeasuredValue: 0, maxMeasuredValue: 10000 } },
  ],
  light: [
    LightSensorDevice,
    { illuminanceMeasurement: { measuredValue: 22219, minMeasuredValue: 1, maxMeasuredValue: 65534 } },
  ],
  occupancy: [
    OccupancySensorDevice.with(OccupancySensingServer.with('PassiveInfrared')),
    {
      occupancySensing: {
        occupancy: { occupied: false },
        occupancySensorType: 0,
        occupancySensorTypeBitmap: { pir: true },
      },
    },
  ],
  leak: [WaterLeakDetectorDevice, { booleanState: { stateValue: false } }],
  thermostat: [
    ThermostatDevice.with(Heat),
    {
      thermostat: {
        externalMeasuredIndoorTemperature: 2040,
        occupiedHeatingSetpoint: 2100,
        occupiedCoolingSetpoint: 2600,
        unoccupiedHeatingSetpoint: 1700,
        unoccupiedCoolingSetpoint: 2800,
        minHeatSetpointLimit: 700,
        maxHeatSetpointLimit: 3000,
        absMinHeatSetpointLimit: 700,
        absMaxHeatSetpointLimit: 3000,
        minCoolSetpointLimit: 1600,
        maxCoolSetpointLimit: 3200,
        absMinCoolSetpointLimit: 1600,
        absMaxCoolSetpointLimit: 3200,
        minSetpointDeadBand: 20,
        systemMode: 4,
        controlSequenceOfOperation: 4,
        externallyMeasuredOccupancy: true,
      },
    },
  ],
  lock: [
    DoorLockDevice.with(DoorLockServer.with('PinCredential', 'CredentialOverTheAirAccess', 'User')),
    {
      doorLock: {
        lockState: 1,
        lockType: 0,
        actuatorEnabled: true,
        operatingMode: 0,
        wrongCodeEntryLimit: 3,
        userCodeTemporaryDisableTime: 10,
        requirePinForRemoteOperation: false,
        autoRelockTime: 0,
        minPinCodeLength: 4,
        maxPinCodeLength: 8,
        numberOfPinUsersSupported: 5,
        numberOfTotalUsersSupported: 5,
        numberOfCredentialsSupportedPerUser: 2,
        credentialRulesSupport: { single: true },
      },
    },
  ],
  cover: [
    WindowCoveringDevice.with(moving(Cover)),
    {
      windowCovering: {
        type: 0,
        endProductType: 0,
        currentPositionLiftPercent100ths: 0,
        configStatus: {
          operational: true,
          onlineReserved: true,
          liftMovementReversed: false,
          liftPositionAware: true,
          tiltPositionAware: false,
          liftEncoderControlled: true,
          tiltEncoderControlled: false,
        },
      },
    },
  ],
  blind: [
    WindowCoveringDevice.with(moving(CoverTilt)),
    {
      windowCovering: {
        type: 8,
        endProductType: 0,
        currentPositionLiftPercent100ths: 10000,
        currentPositionTiltPercent100ths: 5000,
        configStatus: {
          operational: true,
          onlineReserved: true,
          liftMovementReversed: false,
          liftPositionAware: true,
          tiltPositionAware: true,
          liftEncoderControlled: true,
          tiltEncoderControlled: true,
        },
      },
    },
  ],
  button: [
    GenericSwitchDevice.with(Button),
    {
      switch: { numberOfPositions: 2, currentPosition: 0, multiPressMax: 3, longPressDelay: 800, multiPressDelay: 400 },
    },
  ],
  fan: [
    FanDevice.with(FanControlServer.with('MultiSpeed')),
    {
      fanControl: {
        fanMode: 0,
        fanModeSequence: 0,
        percentSetting: 0,
        percentCurrent: 0,
        speedMax: 10,
        speedSetting: 0,
        speedCurrent: 0,
      },
    },
  ],
};

const plain = (value) =>
  JSON.parse(
    JSON.stringify(value ?? null, (_key, one) =>
      typeof one === 'bigint' ? Number(one) : one instanceof Uint8Array ? Buffer.from(one).toString('hex') : one,
    ),
  );
const say = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);
const wordsOf = (cause) =>
  [
    cause?.message ?? String(cause),
    ...(cause?.errors ?? []).map(wordsOf),
    ...(cause?.cause ? [wordsOf(cause.cause)] : []),
  ].join(': ');
process.on('unhandledRejection', (cause) => process.stderr.write(`unhandled ${wordsOf(cause)}\n`));

/** A clock and a display, set for America, which take everything. */
class Clock extends TimeSynchronizationServer.with('TimeZone') {
  setUtcTime({ utcTime, granularity, timeSource }) {
    this.state.utcTime = utcTime;
    this.state.granularity = granularity;
    this.state.timeSource = timeSource;
  }
  setTimeZone({ timeZone }) {
    this.state.timeZone = timeZone;
    this.state.dstOffset = [];
    return { dstOffsetRequired: true };
  }
  setDstOffset({ dstOffset }) {
    this.state.dstOffset = dstOffset;
  }
}
const clock = {
  timeSynchronization: {
    utcTime: null,
    granularity: 0,
    timeSource: 0,
    timeZone: [{ offset: -18_000, validAt: 946_684_800_000_000, name: 'America/New_York' }],
    dstOffset: [],
    localTime: null,
    timeZoneDatabase: 2,
    timeZoneListMaxSize: 2,
    dstOffsetListMaxSize: 2,
  },
  localizationConfiguration: { activeLocale: 'en-US', supportedLocales: ['en-US', 'de-DE', 'fr-FR'] },
  timeFormatLocalization: { hourFormat: 0, activeCalendarType: 4, supportedCalendarTypes: [4] },
  unitLocalization: { temperatureUnit: 0, supportedTemperatureUnits: [0, 1, 2] },
};
/** It says that it sleeps for twenty seconds, and listens for five after each word of its own. */
const sleeper = {
  icdManagement: {
    idleModeDuration: 20,
    activeModeDuration: 1_000,
    activeModeThreshold: 5_000,
    maximumCheckInBackoff: 20,
    clientsSupportedPerFabric: 2,
    operatingMode: 0,
  },
};
/** It does nothing more once it has the keys of a home, or once it has joined and the home knows that. */
class FreezingKeys extends OperationalCredentialsServer {
  async addNoc(request) {
    const answer = await super.addNoc(request);
    setTimeout(() => process.kill(process.pid, 'SIGSTOP'), 10);
    return answer;
  }
}
class FreezingEnd extends OperationalCredentialsServer {
  updateFabricLabel(request) {
    process.kill(process.pid, 'SIGSTOP');
    return super.updateFabricLabel(request);
  }
}
const rootServers = [
  ...(own.freezesAt === 'keys' ? [FreezingKeys] : []),
  ...(own.freezesAt === 'end' ? [FreezingEnd] : []),
  ...(own.clock ? [Clock, LocalizationConfigurationServer, TimeFormatLocalizationServer, UnitLocalizationServer] : []),
  ...(own.sleeps ? [IcdManagementServer.with('CheckInProtocolSupport', 'LongIdleTimeSupport')] : []),
];

const isBridge = kind === 'bridge';
const node = await ServerNode.create(ServerNode.RootEndpoint.with(...rootServers), {
  ...(own.clock ? clock : {}),
  ...(own.sleeps ? sleeper : {}),
  id: 'device',
  environment,
  network: { port: Number(port), ble: false },
  commissioning: { passcode, discriminator },
  productDescription: {
    name: 'Test device',
    deviceType: isBridge ? AggregatorEndpoint.deviceType : OnOffLightDevice.deviceType,
  },
  basicInformation: {
    vendorName: 'Test maker',
    vendorId: VendorId(0xfff1),
    nodeLabel: 'Test device',
    productName: `Test ${kind}`,
    productLabel: `Test ${kind}`,
    productId: 0x8000,
    serialNumber: `serial-${discriminator}`,
    uniqueId: `unique-${discriminator}`,
    hardwareVersionString: '1.0',
    softwareVersionString: '1.2.3',
  },
});
const parent = isBridge ? new Endpoint(AggregatorEndpoint, { id: 'aggregator' }) : node;
if (isBridge) await node.add(parent);

const made = new Map();
const add = async (id, key) => {
  let [type, state] = all[key];
  if (isBridge) {
    type = type.with(BridgedDeviceBasicInformationServer);
    const bridged = { nodeLabel: id, productName: key, serialNumber: `b-${id}`, uniqueId: `ub-${id}`, reachable: true };
    state = { ...state, bridgedDeviceBasicInformation: bridged };
  }
  const endpoint = new Endpoint(type, { id, ...structuredClone(state) });
  await parent.add(endpoint);
  made.set(id, endpoint);
  return endpoint.number;
};
for (const key of count > 0 ? [] : (only ?? Object.keys(all))) await add(key, key);
for (let lamp = 1; lamp <= count; lamp += 1) await add(`lamp${lamp}`, 'dim');

const find = (name) => {
  const endpoint = made.get(name);
  if (endpoint === undefined) throw new Error(`no endpoint ${name}`);
  return endpoint;
};
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const calls = {
  codes: () => node.state.commissioning.pairingCodes,
  /** The number that another device would have with this passcode. */
  codeWith: (own) => ManualPairingCodeCodec.encode({ discriminator, passcode, ...own }),
  fabrics: () => Object.values(node.state.commissioning.fabrics ?? {}).map(({ label }) => label),
  root: ({ cluster }) => node.stateOf(node.behaviors.supported[cluster]),
  state: ({ name, cluster }) => find(name).stateOf(find(name).behaviors.supported[cluster]),
  set: ({ name, state }) => find(name).set(state),
  add: ({ name, key }) => add(name, key),
  remove: async ({ name }) => {
    await find(name).delete();
    made.delete(name);
  },
  press: async ({ name, times = 1, heldMs = 60 }) => {
    for (let press = 0; press < times; press += 1) {
      await find(name).set({ switch: { currentPosition: 1 } });
      await sleep(heldMs);
      await find(name).set({ switch: { currentPosition: 0 } });
      await sleep(120);
    }
  },
  /** It wakes, and says so to those who do not hear it any more. */
  wake: () =>
    node.act((agent) => {
      const icd = agent.get(node.behaviors.supported.icdManagement);
      icd.enterIdleMode();
      icd.requestActiveMode();
    }),
  /** As the button of a device for it: it forgets all homes. */
  reset: async () => node.erase(),
};

await node.start();
say({ ready: true });
for await (const line of createInterface({ input: process.stdin })) {
  const { id, call, ...args } = JSON.parse(line);
  Promise.resolve(args)
    .then(calls[call])
    .then(
      (result) => say({ id, result: plain(result) }),
      (cause) => say({ id, error: wordsOf(cause) }),
    );
}
process.exit();
