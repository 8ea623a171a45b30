import type { Feature } from '#core/feature/feature.ts';

/** A writable, readable state feature named as given; every detail can be another one. */
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
