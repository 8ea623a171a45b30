import type { JsonValue } from '#base/json.ts';
import type { Device } from '#core/device/device.ts';
import type { Feature, Occurrence } from '#core/feature/feature.ts';
import type { ClusterState, EndpointKind } from '#integrations/matter-bridge/node-message.ts';
import { findState, type Part } from '#integrations/offering/part.ts';
import { clamp, hundredths, type Mapped, numberOf, valueOf } from './endpoint.ts';

type Plain = {
  readonly capabilities: readonly string[];
  readonly kind: EndpointKind;
  readonly state: (value: JsonValue) => ClusterState;
};

const isTrue = (value: JsonValue): boolean => value === true;
const numeric = (value: JsonValue): number | null => (typeof value === 'number' ? value : null);

/** Sensors of one value. Of motion and presence the first that there is. */
const PLAIN: readonly Plain[] = [
  // Matter's contact is true where it is closed.
  {
    capabilities: ['open'],
    kind: 'contact_sensor',
    state: (value) => ({ booleanState: { stateValue: !isTrue(value) } }),
  },
  {
    capabilities: ['presence', 'motion'],
    kind: 'occupancy_sensor',
    state: (value) => ({
      occupancySensing: {
        occupancy: { occupied: isTrue(value) },
        occupancySensorType: 0,
        occupancySensorTypeBitmap: { pir: true, ultrasonic: false, physicalContact: false },
      },
    }),
  },
  {
    capabilities: ['water_leak'],
    kind: 'water_leak_detector',
    state: (value) => ({ booleanState: { stateValue: isTrue(value) } }),
  },
  {
    capabilities: ['temperature'],
    kind: 'temperature_sensor',
    state: (value) => ({
      temperatureMeasurement: {
        measuredValue: hundredths(numeric(value), [-27_315, 32_767]),
        minMeasuredValue: -27_315,
        maxMeasuredValue: 32_767,
      },
    }),
  },
  {
    capabilities: ['humidity'],
    kind: 'humidity_sensor',
    state: (value) => ({
      relativeHumidityMeasurement: {
        measuredValue: hundredths(numeric(value), [0, 10_000]),
        minMeasuredValue: 0,
        maxMeasuredValue: 10_000,
      },
    }),
  },
  {
    capabilities: ['illuminance'],
    kind: 'light_sensor',
    state: (value) => ({
      illuminanceMeasurement: { measuredValue: luxOf(numeric(value)), minMeasuredValue: 1, maxMeasuredValue: 65_534 },
    }),
  },
];

/** Ten thousand times the logarithm, plus one; 0 is too dark to be measured. */
function luxOf(lux: number | null): number | null {
  if (lux === null) return null;
  return lux < 1 ? 0 : clamp(Math.round(10_000 * Math.log10(lux) + 1), 1, 65_534);
}

export function sensorsFrom(part: Part): readonly Mapped[] {
  return PLAIN.flatMap(({ capabilities, kind, state }) => {
    const [main] = capabilities.flatMap((capability) => findState(part, capability) ?? []);
    if (main === undefined) return [];
    return [
      {
        kind,
        parts: [],
        main,
        used: capabilities.flatMap((capability) => findState(part, capability) ?? []),
        state: (device: Device) => state(valueOf(device, main)),
        commands: NO_COMMANDS,
      },
    ];
  });
}

const NO_COMMANDS: Mapped['commands'] = new Map();
/** The numbers of SmokeCoAlarm for what the alarm says, and for what it is about. */
const ALARM = { normal: 0, critical: 2 } as const;
const EXPRESSED = { normal: 0, smoke: 1, co: 2 } as const;

export function alarmFrom(part: Part): Mapped | undefined {
  const smoke = findState(part, 'smoke');
  const co = findState(part, 'co_alarm');
  const main = smoke ?? co;
  if (main === undefined) return undefined;
  const alarmOf = (device: Device, feature: Feature): number =>
    isTrue(valueOf(device, feature)) ? ALARM.critical : ALARM.normal;
  return {
    kind: 'smoke_co_alarm',
    parts: [...(smoke === undefined ? [] : (['smoke'] as const)), ...(co === undefined ? [] : (['co'] as const))],
    main,
    used: [smoke, co].filter((feature) => feature !== undefined),
    state: (device) => ({
      smokeCoAlarm: {
        expressedState: isTrue(valueOf(device, smoke))
          ? EXPRESSED.smoke
          : isTrue(valueOf(device, co))
            ? EXPRESSED.co
            : EXPRESSED.normal,
        ...(smoke === undefined ? {} : { smokeState: alarmOf(device, smoke) }),
        ...(co === undefined ? {} : { coState: alarmOf(device, co) }),
        batteryAlert: isTrue(valueOf(device, findState(part, 'battery_low'))) ? 1 : 0,
        testInProgress: false,
        hardwareFaultAlert: false,
        endOfServiceAlert: 0,
      },
    }),
    commands: NO_COMMANDS,
  };
}

export function buttonFrom({ features }: Part): Mapped | undefined {
  const main = features.find(({ kind, capability }) => kind === 'event' && capability === 'button');
  if (main === undefined) return undefined;
  const state = { switch: { numberOfPositions: 2, currentPosition: 0, multiPressMax: MOST_PRESSES } };
  return { kind: 'generic_switch', parts: [], main, used: [main], state: () => state, commands: NO_COMMANDS };
}

const MOST_PRESSES = 5;

/** A press as Matter has it; `undefined` for what it has no event for, such as a turn. */
export function pressFrom({ action, count = 1 }: Occurrence) {
  if (action.startsWith('hold')) return { how: 'hold', count: 1 } as const;
  if (action === 'release') return { how: 'release', count: 1 } as const;
  if (!SHORT.has(action)) return undefined;
  return { how: 'short', count: clamp(SHORT.get(action) ?? count, 1, MOST_PRESSES) } as const;
}

const SHORT: ReadonlyMap<string, number | undefined> = new Map([
  ['press', 1],
  ['single', 1],
  ['double', 2],
  ['triple', 3],
  ['many', undefined],
]);

/** The battery of a device, in half percents. */
export function batteryState(part: Part, device: Device): ClusterState {
  const percent = numberOf(device, findState(part, 'battery'));
  const isLow = isTrue(valueOf(device, findState(part, 'battery_low'))) || (percent !== null && percent <= 10);
  return {
    powerSource: {
      status: 1,
      order: 1,
      description: 'Battery',
      batPercentRemaining: percent === null ? null : clamp(Math.round(percent * 2), 0, 200),
      batChargeLevel: isLow ? 1 : 0,
      batReplacementNeeded: isLow,
      batReplaceability: 0,
    },
  };
}
