import type { JsonObject, JsonValue } from '#base/json.ts';
import { ownFeature, wordFeature } from '#core/feature/new-feature.ts';
import { hueFromRgb, rgbFromColor } from '#core/feature/rgb.ts';
import { type Draft, flagSource, inSegment, nameSource, numberSource, type Place, type Source } from './source.ts';
import { type LightStatus, type Lists, mapByte, readByte, type Segment } from './wled-message.ts';

/** The features of a segment apart from its switch and brightness. */
export function segmentSources({ id, abilities }: Segment, component: string, lists: Lists): readonly Source[] {
  const place = inSegment(id, component);
  const { color, white, temperature } = abilities;
  const effect = nameSource(wordFeature('effect', component), { names: lists.effects, member: 'fx', place });
  const palette = ownFeature('palette', component, { valueType: 'enum' });
  const found = [effect, nameSource(palette, { names: lists.palettes, member: 'pal', place })];
  return [
    ...(temperature ? [temperatureSource(place, white)] : []),
    ...(color ? [colorSource(place, white)] : []),
    ...(white ? [whiteSource(place)] : []),
    ...(color ? [furtherColor(place, 1), furtherColor(place, 2)] : []),
    ...found.flatMap((source) => source ?? []),
    ...NUMBERS.map((number) => numberSource(number, place)),
    ...FLAGS.map((flag) => flagSource(flag, place)),
  ];
}

/** What the effects make of these depends on the effect. */
const NUMBERS = [
  { member: 'sx', name: 'effect_speed', max: 255 },
  { member: 'ix', name: 'effect_intensity', max: 255 },
  { member: 'c1', name: 'effect_custom_1', max: 255 },
  { member: 'c2', name: 'effect_custom_2', max: 255 },
  { member: 'c3', name: 'effect_custom_3', max: 31 },
];
const FLAGS = [
  { member: 'o1', name: 'effect_option_1' },
  { member: 'o2', name: 'effect_option_2' },
  { member: 'o3', name: 'effect_option_3' },
  { member: 'frz', name: 'freeze' },
  { member: 'rev', name: 'reverse' },
  { member: 'mi', name: 'mirror' },
];

/** The switch and brightness of one of several segments. Those of the whole light multiply with them. */
export function segmentSwitch({ id, abilities }: Segment, component: string): readonly Source[] {
  const place = inSegment(id, component);
  const isRelay = !abilities.color && !abilities.white && !abilities.temperature;
  return [
    ...(isRelay ? [] : [brightnessSource(place, ({ bri }) => mapByte(bri, (byte) => byte))]),
    {
      feature: wordFeature('on', component, { writable: true }),
      read: (status) => place.find(status)['on'],
      write: (on, draft) => ({ draft: place.put(draft, { on }), echo: on }),
    },
  ];
}

/** A brightness means light, so it also switches on. */
export function brightnessSource(
  { component, find, put }: Place,
  readLight: (at: JsonObject, status: LightStatus) => number | null | undefined,
  also: (draft: Draft) => Draft = (draft) => draft,
): Source {
  return {
    feature: wordFeature('brightness', component, { writable: true, min: 1, max: 100 }),
    read: (status) => {
      const byte = readLight(find(status), status);
      return typeof byte === 'number' ? percentFromByte(byte) : byte;
    },
    write: (percent, draft) => {
      const bri = byteFromPercent(percent);
      return { draft: put(also(draft), { on: true, bri }), echo: percentFromByte(bri) };
    },
  };
}

const percentFromByte = (byte: number): number => Number(((100 * byte) / 255).toFixed(1));
const byteFromPercent = (percent: JsonValue): number => Math.max(1, Math.round((Number(percent) * 255) / 100));

type Channels = readonly number[];
const DARK: Channels = [0, 0, 0, 0];

/** The channels of a color of a segment; `undefined` if it has no such, `null` if the light does not know one of them. */
function readChannels({ col }: JsonObject, index: number): Channels | null | undefined {
  const color: JsonValue | undefined = Array.isArray(col) ? col[index] : col;
  if (color === null) return null;
  if (!Array.isArray(color) || color.length < 3) return undefined;
  const parts: readonly JsonValue[] = color.slice(0, 4);
  if (parts.includes(null)) return null;
  const channels = parts.map(readByte);
  return channels.every((part) => part !== undefined) ? channels : undefined;
}

/** Sets one of the three colors; an empty one is left as it is. */
function withChannels({ col }: JsonObject, index: number, channels: Channels): JsonObject {
  const drafted: readonly JsonValue[] = Array.isArray(col) ? col : [];
  return {
    col: Array.from({ length: Math.max(drafted.length, index + 1) }, (_, at) =>
      at === index ? channels : (drafted[at] ?? []),
    ),
  };
}

function colorSource(place: Place, hasWhite: boolean): Source {
  return {
    feature: wordFeature('color', place.component, { writable: true }),
    read: (status) => {
      const channels = readChannels(place.find(status), 0);
      if (channels === null || channels === undefined) return channels;
      const [red = 0, green = 0, blue = 0] = channels;
      // Only its white shines, or nothing: that is no color.
      return red + green + blue === 0 ? undefined : hueFromRgb([red, green, blue]);
    },
    write: (color, draft) => {
      const rgb = rgbFromColor(color);
      const channels = hasWhite ? [...rgb, 0] : rgb;
      return { draft: place.put(draft, withChannels(place.drafted(draft), 0, channels)), echo: hueFromRgb(rgb) };
    },
  };
}

/** The colors beside the first one that effects use. They may be black, which the vocabulary's colors cannot. */
function furtherColor(place: Place, index: 1 | 2): Source {
  const channel = { type: 'integer', minimum: 0, maximum: 255 };
  return {
    feature: ownFeature(`color_${index + 1}`, place.component, {
      valueType: 'list',
      writable: true,
      description: 'Red, green, blue and, where there is one, white, each from 0 to 255. For effects.',
      schema: { type: 'array', items: channel, minItems: 3, maxItems: 4 },
    }),
    read: (status) => readChannels(place.find(status), index),
    write: (value, draft) => {
      const channels = Array.isArray(value) ? value.map(Number) : DARK;
      return { draft: place.put(draft, withChannels(place.drafted(draft), index, channels)), echo: channels };
    },
  };
}

function whiteSource(place: Place): Source {
  return {
    feature: ownFeature('white', place.component, {
      valueType: 'number',
      writable: true,
      category: 'primary',
      unit: 'percent',
      min: 0,
      max: 100,
      description: 'How much the white LEDs add.',
    }),
    read: (status) => {
      const channels = readChannels(place.find(status), 0);
      if (channels === null) return null;
      const white = channels?.[3];
      return white === undefined ? undefined : percentFromByte(white);
    },
    write: (percent, draft, status) => {
      const white = Math.round((Number(percent) * 255) / 100);
      const segment = place.drafted(draft);
      const [red = 0, green = 0, blue = 0] = readChannels(segment, 0) ?? readChannels(place.find(status), 0) ?? DARK;
      const channels = [red, green, blue, white];
      return { draft: place.put(draft, withChannels(segment, 0, channels)), echo: percentFromByte(white) };
    },
  };
}

/** The firmware's own scale: 0 is 1,900 K, and each step is 32 K more. */
const WARMEST_K = 1_900;
const STEP_K = 32;
const COLDEST_K = WARMEST_K + 255 * STEP_K;

function temperatureSource(place: Place, hasWhite: boolean): Source {
  return {
    feature: wordFeature('color_temperature', place.component, { writable: true, min: WARMEST_K, max: COLDEST_K }),
    read: (status) => {
      const segment = place.find(status);
      const isWhite = !hasWhite || (readChannels(segment, 0)?.[3] ?? 0) > 0;
      return mapByte(segment['cct'], (step) => (isWhite ? WARMEST_K + step * STEP_K : null));
    },
    // White of this temperature, and no color.
    write: (kelvin, draft, status) => {
      const cct = Math.round((Number(kelvin) - WARMEST_K) / STEP_K);
      const white = readChannels(place.find(status), 0)?.[3] ?? 0;
      const channels = hasWhite ? withChannels(place.drafted(draft), 0, [0, 0, 0, white === 0 ? 255 : white]) : {};
      return { draft: place.put(draft, { cct, ...channels }), echo: WARMEST_K + cct * STEP_K };
    },
  };
}
