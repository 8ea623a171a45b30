import type { DeviceDescription } from '#core/device/device.ts';
import type { Feature } from '#core/feature/feature.ts';

/** A writable, readable state feature with this key. A test may change every detail. */
export function createFeature(key: string, details: Partial<Feature> = {}): Feature {
  return {
    key,
    capability: 'on',
    component: 'main',
    kind: 'state',
    category: 'primary',
    name: key,
    description: null,
    valueType: 'boolean',
    readable: true,
    writable: true,
    unit: null,
    min: null,
    max: null,
    step: null,
    options: null,
    schema: null,
    ...details,
  };
}

/** A light as an integration describes it, with its id in capitals as its name. A test may change every detail. */
export function describeLight(externalId: string, details: Partial<DeviceDescription> = {}): DeviceDescription {
  return {
    externalId,
    name: externalId.toUpperCase(),
    type: 'dimmable_light',
    manufacturer: null,
    model: null,
    firmware: null,
    features: [createFeature('on')],
    staleAfterMs: null,
    ...details,
  };
}
