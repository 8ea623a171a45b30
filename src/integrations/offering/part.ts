import type { Device } from '#core/device/device.ts';
import type { Feature } from '#core/feature/feature.ts';
import { isSettable } from '#core/feature/feature-value.ts';

/** One component of a device that is offered elsewhere: all features that have their name in common. */
export type Part = { readonly device: Device; readonly features: readonly Feature[] };

/** The parts of a device, in the order of its features. */
export function partsOf(device: Device): readonly Part[] {
  const names = new Set(device.features.map(({ component }) => component));
  return [...names].map((name) => ({
    device,
    features: device.features.filter(({ component }) => component === name),
  }));
}

export function findSettable({ features }: Pick<Part, 'features'>, capability: string): Feature | undefined {
  return features.find((feature) => feature.capability === capability && isSettable(feature));
}

export function findState({ features }: Pick<Part, 'features'>, capability: string): Feature | undefined {
  return features.find((feature) => feature.capability === capability && feature.kind === 'state');
}
