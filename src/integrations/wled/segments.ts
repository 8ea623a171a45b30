import { type JsonObject, type JsonValue, listOf } from '#base/json.ts';
import type { Feature } from '#core/feature/feature.ts';
import { ownFeature, wordFeature, PERCENT } from '#core/feature/new-feature.ts';
import { hueFromRgb, rgbFromColor } from '#core/feature/rgb.ts';
import { byteFromPercent, percentFromByte } from '#integrations/peer/codec.ts';
import { inSegment, memberSource, nameSources, type Place, type Plain, plainSource, type Source } from './source.ts';
import { type LightStatus, type Lists, mapByte, readByte, type Segment } from './wled-message.ts';

/** The effect decides what it makes of these numbers and options. */
const PLAIN: readonly Plain[] = [
  { member: 'sx', name: 'effect_speed', max: 255 },
  { member: 'ix', name: 'effect_intensity', max: 255 },
  { member: 'c1', name: 'effect_custom_1', max: 255 },
  { member: 'c2', name: 'effect_custom_2', max: 255 },
  { member: 'c3', name: 'effect_custom_3', max: 31 },
  { member: 'o1', name: 'effect_option_1' },
  { member: 'o2', name: 'effect_option_2' },
  { member: 'o3', name: 'effect_option_3' },
  { member: 'frz', name: 'freeze' },
  { member: 'rev', name: 'reverse' },
  { member: 'mi', name: 'mirror' },
];

/** The features of a segment apart from its switch and brightness. */
export function segmentSources({ id, abilities }: Segment, component: string, lists: Lists): readonly Source[] {
  const place = inSegment(id, component);
  const { color, white, temperature } = abilities;
  const palette = ownFeature('palette', component, { valueType: 'enum' });
  return [
    ...(temperature ? [temperatureSource(place, white)] : []),
    ...(color ? [colorSource(place, white)] : []),
    ...(white ? [whiteSource(place)] : []),
    ...(color ? [furtherColor(place, 1), furtherColor(place, 2)] : []),
    ...nameSources(wordFeature('effect', component), { names: lists.effects, member: 'fx', place }),
    ...nameSources(palette, { names: lists.palettes, member: 'pal', place }),
    ...PLAIN.map((plain) => plainSource(plain, place)),
  ];
}

/** The switch and brightness of one of several segments. Those of the whole light multiply with them. */
export function segmentSwitch({ id, abilities }: Segment, component: string): readonly Source[] {
  const place = inSegment(id, component);
  const on = memberSource(wordFeature('on', component, { writable: true }), place, { member: 'on' });
  const isRelay = !Object.values(abilities).includes(true);
  return isRelay ? [on] : [brightnessSource(place, (status) => mapByte(place.find(status)['bri'], (byte) => byte)), on];
}

/** A brightness means light, so it also switches on. */
export function brightnessSource(
  { component, change }: Place,
  readLight: (status: LightStatus) => number | null | undefined,
  also: JsonObject = {},
): Source {
  return {
    feature: wordFeature('brightness', component, { writable: true, min: 1, max: 100 }),
    read: (status) => {
      const byte = readLight(status);
      return typeof byte === 'number' ? percentFromByte(byte) : byte;
    },
    write: (percent) => {
      const bri = Math.max(1, byteFromPercent(percent));
      return { change: { ...also, ...change({ on: true, bri }) }, echo: percentFromByte(bri) };
    },
  };
}

type Channels = readonly number[];
const DARK: Channels = [0, 0, 0, 0];

/** The channels of a color of a segment; `undefined` if it has no such, `null` if the light does not know one of them. */
function readChannels({ col }: JsonObject, index: number): Channels | null | undefined {
  const color = Array.isArray(col) ? listOf(col)[index] : col;
  if (color === null) return null;
  const parts = listOf(color).slice(0, 4);
  if (parts.length < 3) return undefined;
  if (parts.includes(null)) return null;
  const channels = parts.map(readByte);
  return channels.every((part) => part !== undefined) ? channels : undefined;
}

/** Sets one of the three colors; an empty one is left as it is. */
function colorAt(index: number, channels: Channels): JsonObject {
  return { col: [...Array.from({ length: index }, () => []), channels] };
}

type ChannelCodec = {
  /** Which of the three colors. */
  readonly index: number;
  readonly read: (channels: Channels) => JsonValue | undefined;
  /** `now` are the channels that it has, or gets with the same command. */
  readonly write: (value: JsonValue, now: Channels) => Channels;
};

/** A feature of one of the three colors. */
function channelSource(feature: Feature, place: Place, { index, read, write }: ChannelCodec): Source {
  return {
    feature: { ...feature, writable: true },
    read: (status) => {
      const channels = readChannels(place.find(status), index);
      return channels === null || channels === undefined ? channels : read(channels);
    },
    write: (value, status, earlier) => {
      const [changed, found] = [place.changed(earlier), place.find(status)];
      const channels = write(value, readChannels(changed, index) ?? readChannels(found, index) ?? DARK);
      return { change: place.change(colorAt(index, channels)), echo: read(channels) ?? value };
    },
  };
}

function colorSource(place: Place, hasWhite: boolean): Source {
  return channelSource(wordFeature('color', place.component), place, {
    index: 0,
    // Only its white shines, or nothing: that is no color.
    read: ([red = 0, green = 0, blue = 0]) => (red + green + blue === 0 ? undefined : hueFromRgb([red, green, blue])),
    write: (color) => (hasWhite ? [...rgbFromColor(color), 0] : rgbFromColor(color)),
  });
}

/** The colors beside the first one that effects use. They may be black, which the vocabulary's colors cannot. */
function furtherColor(place: Place, index: 1 | 2): Source {
  const channel = { type: 'integer', minimum: 0, maximum: 255 };
  const feature = ownFeature(`color_${index + 1}`, place.component, {
    valueType: 'list',
    writable: true,
    description: 'Red, green, blue and, where there is one, white, each from 0 to 255. For effects.',
    schema: { type: 'array', items: channel, minItems: 3, maxItems: 4 },
  });
  return channelSource(feature, place, {
    index,
    read: (channels) => channels,
    write: (value) => listOf(value).map(Number),
  });
}

function whiteSource(place: Place): Source {
  const feature = ownFeature('white', place.component, {
    ...PERCENT,
    category: 'primary',
    description: 'How much the white LEDs add.',
  });
  return channelSource(feature, place, {
    index: 0,
    read: ({ 3: white }) => (white === undefined ? undefined : percentFromByte(white)),
    write: (percent, [red = 0, green = 0, blue = 0]) => [red, green, blue, byteFromPercent(percent)],
  });
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
    write: (kelvin, status) => {
      const cct = Math.round((Number(kelvin) - WARMEST_K) / STEP_K);
      const white = readChannels(place.find(status), 0)?.[3] ?? 0;
      const channels = hasWhite ? colorAt(0, [0, 0, 0, white === 0 ? 255 : white]) : {};
      return { change: place.change({ cct, ...channels }), echo: WARMEST_K + cct * STEP_K };
    },
  };
}
