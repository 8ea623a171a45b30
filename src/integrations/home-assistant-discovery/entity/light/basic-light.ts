import type { Rgb } from '#core/feature/rgb.ts';
import { roundFloat } from '#integrations/home-assistant-discovery/template/number.ts';
import { floatText } from '#integrations/home-assistant-discovery/template/text.ts';
import type { Value } from '#integrations/home-assistant-discovery/template/value.ts';
import { flagIn, numberIn, textIn, textsIn } from '#integrations/home-assistant-discovery/message/config.ts';
import { listening, merged, publicationTo } from '#integrations/home-assistant-discovery/entity/building.ts';
import {
  numberFrom,
  refused,
  isNoState,
  wholeIn,
  type Part,
  type Publication,
  type Report,
} from '#integrations/home-assistant-discovery/entity/entity.ts';
import { readingOf, writingOf } from '#integrations/home-assistant-discovery/entity/incoming.ts';
import { hsFromRgb, kelvinOf, miredsOf, rgbFromRgbw, rgbFromRgbww } from './color-space.ts';
import {
  hueReport,
  nativeColor,
  percentReport,
  pointReport,
  type ColorSpace,
  type LightCall,
  type LightParts,
  type LightWay,
} from './light-way.ts';

/**
 * The memory has what was last heard of the light, or sent where nothing is heard: a color may need it for its
 * brightness.
 */
type Memory = { brightness: number | null; readonly channels: Map<ColorSpace, readonly number[]> };

const CHANNELS = ['red', 'green', 'blue'];
const NAMES: Readonly<Record<ColorSpace, readonly string[]>> = {
  hs: ['hue', 'sat'],
  xy: ['x', 'y'],
  rgb: CHANNELS,
  rgbw: [...CHANNELS, 'white'],
  rgbww: [...CHANNELS, 'cold_white', 'warm_white'],
};
/** In the order in which Home Assistant sends them. */
const SPACES: readonly ColorSpace[] = ['hs', 'rgb', 'rgbw', 'rgbww', 'xy'];

/** A light with a topic for each of its settings. */
export function basicLight(parts: LightParts): LightWay {
  const { config } = parts;
  const known: Memory = { brightness: null, channels: new Map() };
  const has = (name: string): boolean => textIn(config, name) !== undefined;
  const spaces = new Set(SPACES.filter((space) => has(`${space}_command_topic`)));
  const isDimmable =
    has('brightness_command_topic') || ['rgb', 'rgbw', 'rgbww'].some((space) => has(`${space}_command_topic`));
  const hasEffects = has('effect_command_topic') && textsIn(config, 'effect_list') !== undefined;
  return {
    ...heardOf(parts, known, { spaces, isDimmable }),
    effect: hasEffects ? effectOf(parts) : null,
    hasWhite: has('white_command_topic'),
    ...sentOf(parts, known, spaces),
  };
}

type Abilities = { readonly spaces: ReadonlySet<ColorSpace>; readonly isDimmable: boolean };

function heardOf(
  { config, deps, kelvins }: LightParts,
  memory: Memory,
  { spaces, isDimmable }: Abilities,
): Pick<LightWay, 'on' | 'brightness' | 'kelvin' | 'color'> {
  const [on, off] = [textIn(config, 'payload_on') ?? 'ON', textIn(config, 'payload_off') ?? 'OFF'];
  const keeps = { ...deps, keepsOnError: true };
  const readState = readingOf(config, 'state_value_template', deps);
  const readBrightness = readingOf(config, 'brightness_value_template', keeps);
  const readKelvin = readingOf(config, 'color_temp_value_template', keeps);
  const scale = numberIn(config, 'brightness_scale') ?? 255;
  const isKelvin = flagIn(config, 'color_temp_kelvin');
  const dims = textIn(config, 'brightness_state_topic') === undefined;
  const colors = SPACES.filter((space) => spaces.has(space)).map((space) => {
    const read = readingOf(config, `${space}_value_template`, keeps);
    const topic = `${space}_state_topic`;
    const take = (text: string | undefined): readonly number[] | undefined =>
      text === undefined || text === '' ? undefined : channelsFrom(text, space);
    const levelOf = (channels: readonly number[]): number =>
      Math.max(
        ...(space === 'rgb' ? channels : space === 'rgbw' ? rgbFromRgbw(channels) : rgbFromRgbww(channels, kelvins)),
      );
    const isRgb = space !== 'hs' && space !== 'xy';
    const color = listening(config, topic, (message) => {
      const channels = take(read(message));
      if (channels === undefined) return undefined;
      if (!isRgb || !dims) return colorReport(space, channels, kelvins);
      const level = levelOf(channels);
      if (level === 0) return undefined;
      // At full light: how bright it is, the brightness says.
      const full = channels.map((channel) => Math.min(roundFloat((channel / level) * 255, 0), 255));
      memory.channels.set(space, full);
      return colorReport(space, full, kelvins);
    });
    const level = listening(config, topic, (message) => {
      const channels = take(read(message));
      const found = channels === undefined ? 0 : levelOf(channels);
      if (found === 0) return undefined;
      memory.brightness = found;
      return percentReport(found);
    });
    return { color, level: isRgb && dims ? level : new Map() };
  });
  const brightness = listening(config, 'brightness_state_topic', (message) => {
    const text = readBrightness(message) ?? '';
    const level = numberFrom(text);
    if (level === undefined) return refused(text);
    if (level === 0) return undefined;
    memory.brightness = Math.min(roundFloat((level / scale) * 255, 0), 255);
    return percentReport(memory.brightness);
  });
  return {
    on: listening(config, 'state_topic', (message) => {
      const text = readState(message);
      if (text === on || text === off) return { value: text === on };
      return isNoState(text ?? '') ? { value: null } : undefined;
    }),
    brightness: isDimmable ? merged(brightness, ...colors.map(({ level }): Part['listens'] => level)) : null,
    color: spaces.size > 0 ? merged(...colors.map(({ color }) => color)) : null,
    kelvin:
      textIn(config, 'color_temp_command_topic') === undefined
        ? null
        : listening(config, 'color_temp_state_topic', (message) => {
            const text = readKelvin(message) ?? '';
            const number = wholeIn(text) ?? 0;
            return number <= 0 ? refused(text) : { value: isKelvin ? number : kelvinOf(number) };
          }),
  };
}

/** `1,2,3` as numbers; whole ones for channels. */
function channelsFrom(text: string, space: ColorSpace): readonly number[] | undefined {
  const words = text.slice(0, 200).split(',');
  if (words.length !== NAMES[space].length) return undefined;
  const isWhole = space !== 'hs' && space !== 'xy';
  const numbers = words.map((word) => (isWhole ? wholeIn(word) : numberFrom(word)));
  return numbers.every((number) => number !== undefined) ? numbers : undefined;
}

function colorReport(space: ColorSpace, channels: readonly number[], kelvins: LightParts['kelvins']): Report {
  const [first = 0, second = 0, third = 0] = channels;
  if (space === 'hs') return hueReport([first, second]);
  if (space === 'xy') return pointReport([first, second]);
  const rgb: Rgb =
    space === 'rgb'
      ? [first, second, third]
      : space === 'rgbw'
        ? rgbFromRgbw(channels)
        : rgbFromRgbww(channels, kelvins);
  return hueReport(hsFromRgb(rgb));
}

function effectOf({ config, deps }: LightParts): Part['listens'] {
  const read = readingOf(config, 'effect_value_template', { ...deps, keepsOnError: true });
  return listening(config, 'effect_state_topic', (message) => {
    const text = read(message);
    return text === undefined || text === '' ? undefined : { value: text };
  });
}

function sentOf(
  { config, deps, kelvins }: LightParts,
  memory: Memory,
  spaces: ReadonlySet<ColorSpace>,
): Pick<LightWay, 'turnOn' | 'turnOff'> {
  const [on, off] = [textIn(config, 'payload_on') ?? 'ON', textIn(config, 'payload_off') ?? 'OFF'];
  const switching = publicationTo(config);
  const order = textIn(config, 'on_command_type') ?? 'last';
  const scale = numberIn(config, 'brightness_scale') ?? 255;
  const whiteScale = numberIn(config, 'white_scale') ?? 255;
  const isKelvin = flagIn(config, 'color_temp_kelvin');
  const isOptimistic = (topic: string): boolean => flagIn(config, 'optimistic') || textIn(config, topic) === undefined;
  const sender = (name: string): Sender | null => {
    if (textIn(config, `${name}_command_topic`) === undefined) return null;
    const publication = publicationTo(config, `${name}_command_topic`);
    const write = writingOf(config, `${name}_command_template`, deps);
    return (value, plain, more) => publication(write(value, plain, more));
  };
  const senders = new Map(SPACES.map((space) => [space, sender(space)]));
  const [dimmer, temperature, effects] = [sender('brightness'), sender('color_temp'), sender('effect')];
  const white = sender('white');
  const whole = (number: number, send: Sender | null): readonly Publication[] =>
    send === null ? [] : [send(BigInt(number), String(number))];

  const colorSent = (space: ColorSpace, channels: readonly number[], brightness: number): Publication | undefined => {
    const isRgb = space !== 'hs' && space !== 'xy';
    const shown = isRgb ? channels.map((channel) => Math.trunc((channel * brightness) / 255)) : channels;
    const values = shown.map((channel): Value => (isRgb ? BigInt(channel) : channel));
    const plain = shown.map((channel) => (isRgb ? String(channel) : floatText(channel))).join(',');
    return senders.get(space)?.(plain, plain, new Map(values.map((value, at) => [NAMES[space][at] ?? '', value])));
  };
  const dimmed = (brightness: number, hasColor: boolean): readonly Publication[] => {
    if (dimmer !== null) {
      const level = Math.max(1, Math.min(roundFloat((brightness / 255) * scale, 0), scale));
      return whole(level, dimmer);
    }
    const space = (['rgb', 'rgbw', 'rgbww'] as const).find((one) => spaces.has(one));
    if (space === undefined || hasColor) return [];
    const full = memory.channels.get(space) ?? NAMES[space].map(() => 255);
    return [colorSent(space, full, brightness) ?? []].flat();
  };
  const turnOn = (call: LightCall): readonly Publication[] => {
    const implied = order === 'brightness' && call.brightness === null && call.white === null;
    const brightness = implied ? (memory.brightness ?? 255) : call.brightness;
    const color = call.color === null ? undefined : nativeColor(call.color, spaces, kelvins);
    const shine = dimmer === null ? (brightness ?? memory.brightness ?? 255) : 255;
    const dimming = brightness === null ? [] : dimmed(brightness, color !== undefined && color.space.startsWith('rgb'));
    const sent = [
      ...(order === 'first' ? [switching(on)] : []),
      ...[color === undefined ? [] : (colorSent(color.space, color.channels, shine) ?? [])].flat(),
      ...dimming,
      ...(call.kelvin === null ? [] : whole(isKelvin ? Math.round(call.kelvin) : miredsOf(call.kelvin), temperature)),
      ...(call.effect === null || effects === null ? [] : [effects(call.effect, call.effect)]),
      ...(call.white === null
        ? []
        : whole(Math.min(roundFloat((call.white / 255) * whiteScale, 0), whiteScale), white)),
      ...(order === 'last' ? [switching(on)] : []),
    ];
    // Nobody will say it, so what was sent counts for the next color.
    if (dimming.length > 0 && isOptimistic(dimmer === null ? 'rgb_state_topic' : 'brightness_state_topic'))
      memory.brightness = brightness;
    if (color !== undefined && isOptimistic(`${color.space}_state_topic`))
      memory.channels.set(color.space, color.channels);
    return sent;
  };
  return { turnOn, turnOff: () => [switching(off)] };
}

type Sender = (value: Value, plain: string, more?: ReadonlyMap<string, Value>) => Publication;
