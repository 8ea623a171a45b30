import type { Device } from '#core/device/device.ts';
import type { Feature } from '#core/feature/feature.ts';
import { type Part, partsOf } from '#integrations/offering/part.ts';
import { climateFrom } from './climate.ts';
import type { Component } from './component.ts';
import { lightFrom } from './light.ts';
import { coverFrom, fanFrom, lockFrom, valveFrom } from './movers.ts';
import { plainFrom } from './plain.ts';

/** In this order: a fan that lights up is a light with a speed of its own. */
const LARGER = [lightFrom, fanFrom, climateFrom, coverFrom, lockFrom, valveFrom];
/** A message of more would be refused by those who read it, and no person would find anything in it. */
const MAX_COMPONENTS = 200;

/** The device as components of Home Assistant. Each feature is in one of them, or in none if none can show it. */
export function componentsOf(device: Device): readonly Component[] {
  const components = partsOf(device).flatMap(({ features }) => {
    const used = new Set<Feature>();
    const larger = LARGER.flatMap((make) => {
      const part: Part = { device, features: features.filter((feature) => !used.has(feature)) };
      const made = make(part);
      for (const feature of made?.used ?? []) used.add(feature);
      return made === undefined ? [] : [made.component];
    });
    const plain = features
      .filter((feature) => !used.has(feature))
      .flatMap((feature) => plainFrom(feature, device) ?? []);
    return [...larger, ...plain];
  });
  return components.slice(0, MAX_COMPONENTS);
}
