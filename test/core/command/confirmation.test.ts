import { expect, test } from 'vitest';
import type { JsonValue } from '#base/json.ts';
import { isConfirmedBy } from '#core/command/confirmation.ts';
import type { Feature } from '#core/feature/feature.ts';
import { createFeature } from '#test/support/hub/feature.ts';

const PERCENT = { valueType: 'number', unit: 'percent' } as const;
const KELVIN = { valueType: 'number', unit: 'K' } as const;
const HALF_DEGREES = { valueType: 'number', unit: 'celsius', step: 0.5 } as const;
const COLOR = { valueType: 'color' } as const;

test.each<[Partial<Feature>, JsonValue, JsonValue, boolean]>([
  [{}, true, true, true],
  [{}, true, false, false],
  [{}, true, 1, false],
  [PERCENT, 60, 60.6, true],
  [PERCENT, 60, 59, true],
  [PERCENT, 60, 58.9, false],
  [PERCENT, 60, '60', false],
  [KELVIN, 4000, 4080, true],
  [KELVIN, 4000, 3900, false],
  [HALF_DEGREES, 21.5, 21.3, true],
  [HALF_DEGREES, 21.5, 21, false],
  [{ valueType: 'number' }, 3600, 3590, true],
  [{ valueType: 'number' }, 3600, 3500, false],
  [{ valueType: 'number' }, 0, 0.009, true],
  [{ valueType: 'enum' }, 'heat', 'heat', true],
  [{ valueType: 'enum' }, 'heat', 'auto', false],
  [COLOR, { x: 0.3, y: 0.3 }, { x: 0.32, y: 0.28 }, true],
  [COLOR, { x: 0.3, y: 0.3 }, { x: 0.33, y: 0.3 }, false],
  [COLOR, { hue: 358, saturation: 80 }, { hue: 3, saturation: 82 }, true],
  [COLOR, { hue: 340, saturation: 80 }, { hue: 3, saturation: 80 }, false],
  [COLOR, { hue: 10, saturation: 80 }, { hue: 10, saturation: 70 }, false],
  [COLOR, { hue: 10, saturation: 0 }, { hue: 200, saturation: 1 }, true],
  // sRGB primaries and white (IEC 61966-2-1).
  [COLOR, { hue: 0, saturation: 100 }, { x: 0.64, y: 0.33 }, true],
  [COLOR, { hue: 120, saturation: 100 }, { x: 0.3, y: 0.6 }, true],
  [COLOR, { x: 0.15, y: 0.06 }, { hue: 240, saturation: 100 }, true],
  [COLOR, { x: 0.3127, y: 0.329 }, { hue: 77, saturation: 0 }, true],
  [COLOR, { hue: 0, saturation: 100 }, { x: 0.3, y: 0.6 }, false],
  [COLOR, { x: 0.3, y: 0.3 }, {}, false],
  [COLOR, { x: 0.3, y: 0.3 }, 'red', false],
  [{ valueType: 'object' }, { hour: 7 }, { hour: 7, minute: 0 }, true],
  [{ valueType: 'object' }, { hour: 7 }, { minute: 0 }, false],
  [{ valueType: 'list' }, [1, 2], [1, 2], true],
  [{ valueType: 'list' }, [1, 2], [1, 2, 3], false],
])(
  'a feature of %j with the request %j and the report %j is confirmed: %j',
  (...[details, requested, reported, expected]) => {
    expect(isConfirmedBy(createFeature('feature', details), requested, reported)).toBe(expected);
  },
);
