import { type JsonObject, type JsonValue, listOf } from '#base/json.ts';
import { mapNumberBetween } from '#core/feature/peer-value.ts';
import { ownFeature, wordFeature, PERCENT } from '#core/feature/new-feature.ts';
import { hueFromRgb, rgbFromColor } from '#core/feature/rgb.ts';
import { byteFromPercent, percentFromByte } from '#integrations/peer/codec.ts';
import { loadSources, problemSource } from './meters.ts';
import { booleanAt, numberAt, type Part, type Source } from './source.ts';

/** A relay. */
export function switchSources(part: Part): Source[] {
  return [onSource(part, 'Switch.Set'), ...loadSources(part), ...problemSource(part)];
}

/** A dimmer. */
export function lightSources(part: Part): Source[] {
  return lamp(part, 'Light.Set', []);
}

export function rgbSources(part: Part): Source[] {
  return lamp(part, 'RGB.Set', [colorSource(part, 'RGB.Set')]);
}

export function rgbwSources(part: Part): Source[] {
  return lamp(part, 'RGBW.Set', [colorSource(part, 'RGBW.Set'), whiteSource(part)]);
}

/** White light between warm and cold. */
export function cctSources(part: Part): Source[] {
  const [min, max] = listOf(part.config['ct_range']).map(Number);
  const isRange = min !== undefined && max !== undefined && min > 0 && max > min && Number.isFinite(max);
  const [warmest, coldest] = isRange ? [min, max] : USUAL_RANGE_K;
  return lamp(part, 'CCT.Set', [
    {
      from: part.key,
      feature: wordFeature('color_temperature', part.name, { writable: true, min: warmest, max: coldest }),
      read: numberAt('ct'),
      write: (kelvin) => ({ method: 'CCT.Set', params: { id: part.id, on: true, ct: Math.round(Number(kelvin)) } }),
    },
  ]);
}

const USUAL_RANGE_K = [2_700, 6_500] as const;

/** The lamp's sources, its switch last: what a person says of that counts more than what a brightness implies. */
function lamp(part: Part, method: string, further: readonly Source[]): Source[] {
  return [
    ...further,
    brightnessSource(part, method),
    onSource(part, method),
    ...loadSources(part),
    ...problemSource(part),
  ];
}

function onSource(part: Part, method: string): Source {
  return {
    from: part.key,
    feature: wordFeature('on', part.name, { writable: true }),
    read: booleanAt('output'),
    write: (on) => ({ method, params: { id: part.id, on } }),
  };
}

/** A brightness means light, so it also switches on. */
function brightnessSource(part: Part, method: string): Source {
  return {
    from: part.key,
    feature: wordFeature('brightness', part.name, { writable: true, min: 1, max: 100 }),
    read: (status) => atLeast(1, numberAt('brightness')(status)),
    write: (percent) => ({ method, params: { id: part.id, on: true, brightness: Math.round(Number(percent)) } }),
  };
}

/** A lamp that is off may say 0, which is no brightness of light. */
function atLeast(least: number, value: JsonValue | undefined): JsonValue | undefined {
  return value === null || (typeof value === 'number' && value >= least) ? value : undefined;
}

function colorSource(part: Part, method: string): Source {
  return {
    from: part.key,
    feature: wordFeature('color', part.name, { writable: true }),
    read: (status) => {
      if (status['rgb'] === null) return null;
      const rgb = readRgb(status);
      // Black is no color of light.
      return rgb === undefined || Math.max(...rgb) === 0 ? undefined : hueFromRgb(rgb);
    },
    write: (color) => ({ method, params: { id: part.id, on: true, rgb: rgbFromColor(color) } }),
  };
}

function readRgb({ rgb }: JsonObject): readonly [number, number, number] | undefined {
  const [red, green, blue] = listOf(rgb).map((channel) => mapNumberBetween(channel, [0, 255]) ?? undefined);
  return red === undefined || green === undefined || blue === undefined ? undefined : [red, green, blue];
}

const WHITE = {
  ...PERCENT,
  writable: true,
  category: 'primary',
  description: 'How much the white LEDs add.',
} as const;

function whiteSource(part: Part): Source {
  return {
    from: part.key,
    feature: ownFeature('white', part.name, WHITE),
    read: ({ white }) => mapNumberBetween(white, [0, 255], percentFromByte),
    write: (percent) => ({
      method: 'RGBW.Set',
      params: { id: part.id, on: true, white: byteFromPercent(percent) },
    }),
  };
}
