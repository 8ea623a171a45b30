import type { Device, Feature } from '#web/client/api.ts';
import { featureOf } from './device-facts.ts';

/** What says in other words what a control says already. */
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

/** What people set and read, the control first; nothing twice. */
export function mainFeatures({ features }: Device): readonly Feature[] {
  const isWritable = (capability: string): boolean =>
    features.some((one) => one.capability === capability && one.writable);
  const rank = ({ capability }: Feature): number => {
    const place = FIRST.indexOf(capability);
    return place === -1 ? FIRST.length : place;
  };
  return features
    .filter(({ kind, category, capability, writable }) => {
      if (kind === 'action' || category === 'config' || category === 'diagnostic') return false;
      return writable || !isWritable(TWINS[capability] ?? '');
    })
    .sort((one, other) => rank(one) - rank(other));
}

export type Thermostat = { readonly target: Feature; readonly inside: Feature; readonly parts: readonly Feature[] };

/** What belongs together of a thermostat; `undefined` of anything else. */
export function thermostatOf(device: Device): Thermostat | undefined {
  const [target, inside] = [featureOf(device, 'target_temperature'), featureOf(device, 'temperature')];
  if (target?.writable !== true || inside === undefined) return undefined;
  const others = ['thermostat_state', 'heating_demand'].flatMap((one) => featureOf(device, one) ?? []);
  return { target, inside, parts: [target, inside, ...others.filter(({ writable }) => !writable)] };
}
