import type { Device, Feature } from '#web/client/api.ts';
import { device as deviceWords } from '#web/strings/en/home/device.ts';
import { featureOf, natureOf } from './device-facts.ts';

/** Each of these says in other words what a control says already. */
const TWINS: Readonly<Record<string, string>> = { lock_state: 'locked', position: 'cover_state' };
/** The first of these is what the device is there for. */
const FIRST = [
  'on',
  'locked',
  'cover_state',
  'position',
  'brightness',
  'target_temperature',
  'color',
  'color_temperature',
];

/** Whether it only says what a feature that can be set says already. */
export function saysTwice({ capability, writable }: Feature, { features }: Pick<Device, 'features'>): boolean {
  const twin = TWINS[capability];
  return !writable && features.some((one) => one.capability === twin && one.writable);
}

/** Lists what people set and read, the control first; nothing twice. */
export function mainFeatures(device: Device): readonly Feature[] {
  const rank = ({ capability }: Feature): number => {
    const place = FIRST.indexOf(capability);
    return place === -1 ? FIRST.length : place;
  };
  return device.features
    .filter((feature) => {
      const { kind, category } = feature;
      if (kind === 'action' || category === 'config' || category === 'diagnostic') return false;
      return !saysTwice(feature, device);
    })
    .sort((one, other) => rank(one) - rank(other));
}

const MAIN = new Set(['on', 'locked', 'cover_state']);

/** Calls lights, plugs, locks and blinds by what they are; `undefined` of anything else. */
export function nounOf(device: Device): string | undefined {
  const nouns: Readonly<Record<string, string>> = deviceWords.nouns;
  return nouns[natureOf(device).kind];
}

/** Names the feature that the device is there for by the device, and not by its state: `Lock: locked`. */
export function namedByKind(feature: Feature, device: Device): Feature {
  const noun = nounOf(device);
  const isOnly = device.features.filter(({ capability }) => capability === feature.capability).length === 1;
  return noun !== undefined && isOnly && MAIN.has(feature.capability) ? { ...feature, name: noun } : feature;
}

export type Thermostat = { readonly target: Feature; readonly inside: Feature; readonly parts: readonly Feature[] };

/** Finds the features that belong together of a thermostat; `undefined` of anything else. */
export function thermostatOf(device: Device): Thermostat | undefined {
  const [target, inside] = [featureOf(device, 'target_temperature'), featureOf(device, 'temperature')];
  if (target?.writable !== true || inside === undefined) return undefined;
  const others = ['thermostat_state', 'heating_demand'].flatMap((one) => featureOf(device, one) ?? []);
  return { target, inside, parts: [target, inside, ...others.filter(({ writable }) => !writable)] };
}
