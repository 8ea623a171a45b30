import { withTitle } from '#integrations/peer/source.ts';
import { isJsonObject, type JsonValue } from '#base/json.ts';
import type { DeviceDescription, DeviceType } from '#core/device/device.ts';
import { readName } from '#core/integration/read-name.ts';
import { bluDevices, type BluDevice } from './bthome.ts';
import type { Component, Components } from './components.ts';
import { coverSources } from './cover.ts';
import { inputSources } from './inputs.ts';
import { meterEnergySources, meterSources, phaseEnergySources, phaseMeterSources, loadSources } from './meters.ts';
import { cctSources, lightSources, rgbSources, rgbwSources, switchSources } from './outputs.ts';
import { SENSORS } from './sensors.ts';
import { type Part, type Source, unlessWrong } from './source.ts';
import { unknownSources, virtualSources } from './virtual.ts';

/** Who a device says that it is. It tells that without a password. */
export type DeviceInfo = {
  /** Twelve hex digits in lower case. */
  readonly mac: string;
  readonly name: string;
  readonly model: string | null;
  readonly firmware: string | null;
  readonly hasPassword: boolean;
};

/** A device of the home: the one with the connection, or one behind it. */
export type ShownDevice = {
  readonly description: DeviceDescription;
  readonly sources: readonly Source[];
  /** The component that says when a device behind a gateway was heard. */
  readonly heardBy: string | null;
};

const MAC = /^[0-9a-f]{12}$/i;

/** `undefined` if it is none of the second generation or later. */
export function readDeviceInfo(value: JsonValue): DeviceInfo | undefined {
  if (!isJsonObject(value)) return undefined;
  const { mac, gen, name, app, model, ver, id, auth_en: hasPassword } = value;
  if (typeof mac !== 'string' || !MAC.test(mac) || typeof gen !== 'number' || gen < 2) return undefined;
  return {
    mac: mac.toLowerCase(),
    name: readName(name) ?? readName(app) ?? readName(id) ?? 'Shelly',
    model: readName(app) ?? readName(model),
    firmware: readName(ver),
    hasPassword: hasPassword === true,
  };
}

/** The devices that a connection leads to: the one itself first. */
export function devicesFrom(info: DeviceInfo, components: Components): ShownDevice[] {
  const sources = withUniqueKeys(ownSources(components));
  const own: ShownDevice = {
    sources,
    heardBy: null,
    description: {
      externalId: info.mac,
      name: info.name,
      type: typeOf(components, sources),
      manufacturer: 'Shelly',
      model: info.model,
      firmware: info.firmware,
      features: sources.map(({ feature }) => feature),
      staleAfterMs: null,
      parentExternalId: null,
    },
  };
  return [own, ...bluDevices(components).map((device) => bluDevice(device, info.mac))];
}

function bluDevice({ address, name, kind, from, sources }: BluDevice, gateway: string): ShownDevice {
  const unique = withUniqueKeys(sources);
  const has = (capability: string): boolean => unique.some(({ feature }) => feature.capability === capability);
  const found = BLU_TYPES.find(([, capability]) => has(capability))?.[0];
  return {
    sources: unique,
    heardBy: from,
    description: {
      externalId: address,
      name: name ?? `BLU ${address.slice(-4)}`,
      type: kind === 'radiator_valve' ? 'thermostat' : (found ?? 'other'),
      manufacturer: 'Shelly',
      model: null,
      firmware: null,
      features: unique.map(({ feature }) => feature),
      staleAfterMs: null,
      parentExternalId: gateway,
    },
  };
}

const BLU_TYPES: readonly (readonly [DeviceType, string])[] = [
  ['contact_sensor', 'open'],
  ['occupancy_sensor', 'motion'],
  ['water_leak_detector', 'water_leak'],
  ['smoke_co_alarm', 'smoke'],
  ['generic_switch', 'button'],
  ['temperature_sensor', 'temperature'],
  ['humidity_sensor', 'humidity'],
  ['light_sensor', 'illuminance'],
];

type MakeSources = (part: Part) => Source[];

const OUTPUTS: ReadonlyMap<string, MakeSources> = new Map<string, MakeSources>([
  ['switch', switchSources],
  ['cover', coverSources],
  ['light', lightSources],
  ['rgb', rgbSources],
  ['rgbw', rgbwSources],
  ['cct', cctSources],
]);
const METERS: ReadonlyMap<string, MakeSources> = new Map<string, MakeSources>([
  ['pm1', loadSources],
  ['em', meterSources],
  ['emdata', meterEnergySources],
  ['em1', phaseMeterSources],
  ['em1data', phaseEnergySources],
]);
/** Meters and what they have counted are one component for people. */
const NAMED_AS: ReadonlyMap<string, string> = new Map([
  ['emdata', 'em'],
  ['em1data', 'em1'],
]);
const VIRTUAL: ReadonlySet<string> = new Set(['boolean', 'number', 'text', 'enum', 'object']);
/** Services of the device itself, and what belongs to devices behind it. */
const SILENT: ReadonlySet<string> = new Set(
  'ble bthome cloud mqtt ws eth modbus script knx matter ui plugs_ui ht_ui '
    .concat('bthomedevice bthomesensor blutrv group button service schedule zigbee dali lora')
    .split(' '),
);

/** A single one of its kind has the device's own component; several have their numbers, as `switch_0`. */
function ownSources(components: Components): Source[] {
  const all = [...components.values()];
  const isOutput = ({ type }: Component): boolean => OUTPUTS.has(type);
  const hasOneOutput = all.filter(isOutput).length === 1;
  const isOnly = (one: Component): boolean =>
    isOutput(one) ? hasOneOutput : all.filter(({ type }) => type === one.type).length === 1;
  const rank = (one: Component): number => (isOutput(one) ? 0 : METERS.has(one.type) ? 1 : one.type === 'sys' ? 3 : 2);
  const inOrder = all.toSorted((left, right) => rank(left) - rank(right));
  return inOrder.flatMap((one) => {
    const numbered = `${NAMED_AS.get(one.type) ?? one.type}_${one.id ?? 0}`;
    const part: Part = { key: one.key, id: one.id ?? 0, name: 'main', config: one.config, status: one.status };
    if (one.type === 'input') return unlessWrong(inputSources({ ...part, name: numbered }));
    if (VIRTUAL.has(one.type)) return virtualSources(one.type, { ...part, name: numbered });
    const makeSensor = SENSORS.get(one.type);
    const make =
      OUTPUTS.get(one.type) ?? METERS.get(one.type) ?? (makeSensor && ((own) => unlessWrong(makeSensor(own))));
    if (make !== undefined) {
      const own = readName(one.config['name']);
      return isOnly(one) ? make(part) : make({ ...part, name: numbered }).map((source) => withTitle(source, own));
    }
    return SILENT.has(one.type) ? [] : unknownSources({ ...part, name: numbered });
  });
}

/** Two sensors may say the same, as a relay's own meter and a clamp: the later one is shown under its component. */
function withUniqueKeys(sources: readonly Source[]): Source[] {
  const keys = new Set<string>();
  const unique: Source[] = [];
  for (const source of sources) {
    const { feature } = source;
    const component = feature.component === 'main' ? source.from.replace(':', '_') : feature.component;
    const own = keys.has(feature.key) ? { ...feature, component, key: `${component}.${feature.capability}` } : feature;
    if (keys.has(own.key)) continue;
    keys.add(own.key);
    unique.push(own === feature ? source : { ...source, feature: own });
  }
  return unique;
}

function typeOf(components: Components, sources: readonly Source[]): DeviceType {
  const types = new Set([...components.values()].map(({ type }) => type));
  const found = TYPES.find(([component]) => types.has(component))?.[1];
  // A thermostat may be made of virtual components with roles.
  const isThermostat = sources.some(({ feature: { key, writable } }) => key === 'target_temperature' && writable);
  return found ?? (isThermostat ? 'thermostat' : 'other');
}

const TYPES: readonly (readonly [component: string, type: DeviceType])[] = [
  ['cover', 'window_covering'],
  ['rgbw', 'extended_color_light'],
  ['rgb', 'extended_color_light'],
  ['cct', 'color_temperature_light'],
  ['light', 'dimmable_light'],
  ['thermostat', 'thermostat'],
  ['switch', 'on_off_plug_in_unit'],
  ['smoke', 'smoke_co_alarm'],
  ['flood', 'water_leak_detector'],
  ['presencezone', 'occupancy_sensor'],
  ['em', 'electrical_sensor'],
  ['em1', 'electrical_sensor'],
  ['pm1', 'electrical_sensor'],
  ['temperature', 'temperature_sensor'],
  ['humidity', 'humidity_sensor'],
  ['input', 'generic_switch'],
];
