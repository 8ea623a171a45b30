import { createHash } from 'node:crypto';
import { type Device, deviceName, isReachable } from '#core/device/device.ts';
import type { Feature } from '#core/feature/feature.ts';
import type { BridgedEndpoint, ClusterState } from '#integrations/matter-bridge/node-message.ts';
import { findState, type Part, partsOf } from '#integrations/offering/part.ts';
import { fanFrom, thermostatFrom } from './climate.ts';
import type { Mapped } from './endpoint.ts';
import { lightFrom } from './lights.ts';
import { coverFrom, lockFrom, valveFrom } from './movers.ts';
import { alarmFrom, batteryState, buttonFrom, sensorsFrom } from './sensors.ts';

/** An endpoint for a function of a device, as long as the device has the same features. */
export type MappedEndpoint = Mapped & {
  readonly id: string;
  readonly part: Part;
  readonly name: string;
  /** The first endpoint of a device has its battery. */
  readonly hasBattery: boolean;
};

/** In this order: a fan that also lights up is a fan with a light of its own. */
const LARGER = [fanFrom, thermostatFrom, coverFrom, lockFrom, valveFrom, alarmFrom, lightFrom];
const MOST_ENDPOINTS = 32;
/** The limit of a name in Matter, in bytes of UTF-8. */
const MOST_NAME = 32;

/** The functions of a device that Matter has an endpoint for; none for what nobody could use there. */
export function endpointsOf(device: Device): readonly MappedEndpoint[] {
  const found = partsOf(device).flatMap((part) => mappedOf(part).map((mapped) => ({ mapped, part })));
  const hasBattery = device.features.some(({ capability }) => capability === 'battery' || capability === 'battery_low');
  return found.slice(0, MOST_ENDPOINTS).map(({ mapped, part }, index) => ({
    ...mapped,
    part,
    id: endpointId(device, mapped),
    name: nameOf(device, mapped, index === 0),
    hasBattery: index === 0 && hasBattery,
  }));
}

function mappedOf(whole: Part): readonly Mapped[] {
  const used = new Set<Feature>();
  const left = (): Part => ({ ...whole, features: whole.features.filter((feature) => !used.has(feature)) });
  const larger = LARGER.flatMap((make) => {
    const mapped = make(left());
    for (const feature of mapped?.used ?? []) used.add(feature);
    return mapped ?? [];
  });
  const button = buttonFrom(whole);
  return [...larger, ...sensorsFrom(left()), ...(button === undefined ? [] : [button])];
}

/** The same for ever, also after a restore: it is made of what identifies the device and its feature. */
function endpointId({ id }: Device, { kind, main }: Mapped): string {
  const slug = createHash('sha256').update(main.key).digest('hex').slice(0, 8);
  return `${id.replaceAll('-', '')}_${kind}_${slug}`;
}

function nameOf(device: Device, { main }: Mapped, isFirst: boolean): string {
  const name = deviceName(device);
  if (isFirst && main.component === 'main') return fitName(name);
  const suffix = ` ${main.name}`;
  const room = MOST_NAME - Buffer.byteLength(suffix);
  return room < 8 ? fitName(`${name}${suffix}`) : `${fitName(name, room)}${suffix}`;
}

/** Whole characters alone. */
export function fitName(name: string, most = MOST_NAME): string {
  let text = name;
  while (Buffer.byteLength(text) > most) text = text.replace(/.$/su, '');
  return text.trim();
}

/** Makes what Matter shows of the endpoint now. */
export function bridgedOf(mapped: MappedEndpoint, device: Device): BridgedEndpoint {
  const { id, kind, parts, part, name, hasBattery } = mapped;
  const whole: Part = { device, features: device.features };
  return {
    id,
    kind,
    parts: hasBattery ? [...parts, 'battery'] : parts,
    state: {
      ...mapped.state(device),
      ...(hasBattery ? batteryState(batteryPart(part, whole), device) : {}),
      ...aboutOf(id, name, device),
    },
  };
}

function batteryPart(part: Part, whole: Part): Part {
  return findState(part, 'battery') === undefined && findState(part, 'battery_low') === undefined ? whole : part;
}

function aboutOf(id: string, name: string, device: Device): ClusterState {
  const { manufacturer, model, firmware, availability } = device;
  const uniqueId = createHash('sha256').update(id).digest('hex').slice(0, 32);
  const text = (value: string | null): string => fitName(value ?? '') || 'Unknown';
  return {
    bridgedDeviceBasicInformation: {
      nodeLabel: name,
      vendorName: text(manufacturer),
      productName: text(model),
      productLabel: text(model),
      serialNumber: uniqueId,
      uniqueId,
      ...(firmware === null ? {} : { softwareVersionString: fitName(firmware, 64) || '0' }),
      reachable: isReachable(availability),
    },
  };
}
