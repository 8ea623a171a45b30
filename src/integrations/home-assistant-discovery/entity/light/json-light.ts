import { syntaxFault, TemplateFault } from '#integrations/home-assistant-discovery/template/fault.ts';
import { jsonText } from '#integrations/home-assistant-discovery/template/json.ts';
import { floatFrom, intFrom, roundFloat } from '#integrations/home-assistant-discovery/template/number.ts';
import {
  dictGet,
  dictOf,
  isKind,
  isNumber,
  type PyDict,
  type Value,
} from '#integrations/home-assistant-discovery/template/value.ts';
import { flagIn, numberIn, textsIn } from '#integrations/home-assistant-discovery/message/config.ts';
import { listening, publicationTo } from '#integrations/home-assistant-discovery/entity/building.ts';
import type { Part, Report } from '#integrations/home-assistant-discovery/entity/entity.ts';
import { hsFromRgb, kelvinOf, miredsOf, rgbFromRgbw, rgbFromRgbww } from './color-space.ts';
import {
  hueReport,
  nativeColor,
  percentReport,
  pointReport,
  type ColorSpace,
  type LightParts,
  type LightWay,
  type NativeColor,
} from './light-way.ts';

const SPACES: ReadonlySet<string> = new Set(['hs', 'xy', 'rgb', 'rgbw', 'rgbww']);
const DARK: ReadonlySet<string> = new Set(['onoff', 'unknown']);
const MODES: ReadonlySet<string> = new Set([...SPACES, ...DARK, 'brightness', 'color_temp', 'white']);
const LETTERS: Readonly<Record<ColorSpace, readonly string[]>> = {
  hs: ['h', 's'],
  xy: ['x', 'y'],
  rgb: ['r', 'g', 'b'],
  rgbw: ['r', 'g', 'b', 'w'],
  rgbww: ['r', 'g', 'b', 'c', 'w'],
};

/** A light that says and hears all in one JSON object. */
export function jsonLight(parts: LightParts): LightWay {
  const { config, kelvins } = parts;
  const modes = modesIn(parts);
  const spaces = new Set([...modes].filter((mode): mode is ColorSpace => SPACES.has(mode)));
  const scale = numberIn(config, 'brightness_scale') ?? 255;
  const isKelvin = flagIn(config, 'color_temp_kelvin');
  const isDimmable = [...modes].some((mode) => !DARK.has(mode));
  const hasEffects = flagIn(config, 'effect');
  const heard = (take: (message: PyDict) => Report): Part['listens'] =>
    listening(config, 'state_topic', (message) => {
      const said = message.variables().get('value_json') ?? null;
      // Home Assistant reads nothing of a message without a state.
      return isKind(said, 'dict') && dictGet(said, 'state') !== undefined ? take(said) : undefined;
    });
  const inMode = (message: PyDict, mode: string): boolean => modes.has(mode) && dictGet(message, 'color_mode') === mode;
  return {
    on: heard((message) => {
      const state = dictGet(message, 'state');
      if (state === null) return { value: null };
      return state === 'ON' ? { value: true } : state === 'OFF' ? { value: false } : undefined;
    }),
    brightness: isDimmable
      ? heard((message) => {
          const level = dictGet(message, 'brightness') ?? null;
          if (!isNumber(level) || Number(level) === 0) return undefined;
          const brightness = Math.min(255, Math.max(1, roundFloat((Number(level) * 255) / scale, 0)));
          return percentReport(brightness);
        })
      : null,
    kelvin: modes.has('color_temp')
      ? heard((message) => {
          const found = dictGet(message, 'color_temp') ?? null;
          if (!inMode(message, 'color_temp') || !isNumber(found) || !(Number(found) > 0)) return undefined;
          return { value: isKelvin ? Number(found) : kelvinOf(Number(found)) };
        })
      : null,
    color:
      spaces.size === 0
        ? null
        : heard((message) => {
            const space = [...spaces].find((one) => inMode(message, one));
            const color = dictGet(message, 'color') ?? null;
            return space === undefined || !isKind(color, 'dict') ? undefined : colorReport(space, color, kelvins);
          }),
    effect: hasEffects
      ? heard((message) => {
          const effect = dictGet(message, 'effect');
          return typeof effect === 'string' || effect === null ? { value: effect } : undefined;
        })
      : null,
    hasWhite: modes.has('white'),
    ...sentOf(parts, { spaces, isDimmable, hasEffects }),
  };
}

function modesIn({ config }: LightParts): ReadonlySet<string> {
  const said = textsIn(config, 'supported_color_modes');
  if (said === undefined) return new Set(flagIn(config, 'brightness') ? ['brightness'] : ['onoff']);
  const modes = new Set(said);
  const isAlone = modes.has('onoff') || modes.has('brightness') || modes.has('unknown');
  if (modes.size === 0 || said.some((mode) => !MODES.has(mode)) || (isAlone && modes.size > 1))
    throw syntaxFault('its supported_color_modes do not go together');
  return modes;
}

function colorReport(space: ColorSpace, color: PyDict, kelvins: LightParts['kelvins']): Report {
  const isWhole = space !== 'hs' && space !== 'xy';
  const channels: number[] = [];
  for (const letter of LETTERS[space]) {
    const said = dictGet(color, letter);
    const number = said === undefined ? undefined : numberOr(said, isWhole);
    if (number === undefined || !Number.isFinite(number)) return undefined;
    channels.push(number);
  }
  const [first = 0, second = 0, third = 0] = channels;
  if (space === 'hs') return hueReport([first, second]);
  if (space === 'xy') return pointReport([first, second]);
  if (space === 'rgb') return hueReport(hsFromRgb([first, second, third]));
  return hueReport(hsFromRgb(space === 'rgbw' ? rgbFromRgbw(channels) : rgbFromRgbww(channels, kelvins)));
}

function numberOr(value: Value, isWhole: boolean): number | undefined {
  try {
    const number = isWhole ? intFrom(value) : floatFrom(value);
    return number === undefined ? undefined : Number(number);
  } catch (cause) {
    if (cause instanceof TemplateFault) return undefined;
    throw cause;
  }
}

type Abilities = {
  readonly spaces: ReadonlySet<ColorSpace>;
  readonly isDimmable: boolean;
  readonly hasEffects: boolean;
};

function sentOf(
  { config, kelvins }: LightParts,
  { spaces, isDimmable, hasEffects }: Abilities,
): Pick<LightWay, 'turnOn' | 'turnOff'> {
  const publication = publicationTo(config);
  const scale = numberIn(config, 'brightness_scale') ?? 255;
  const whiteScale = numberIn(config, 'white_scale') ?? 255;
  const isKelvin = flagIn(config, 'color_temp_kelvin');
  const dimsColor = !flagIn(config, 'brightness');
  const send = (members: readonly (readonly [string, Value])[]): ReturnType<LightWay['turnOff']> => [
    publication(jsonText(dictOf(members))),
  ];
  const levelOf = (level: number, most: number): bigint =>
    BigInt(Math.max(1, Math.min(roundFloat((level * most) / 255, 0), most)));
  const fading = (transitionS: number | null): readonly (readonly [string, Value])[] =>
    transitionS === null ? [] : [['transition', transitionS]];
  return {
    turnOn: ({ brightness, white, color, kelvin, effect, transitionS }) => {
      const native = color === null ? undefined : nativeColor(color, spaces, kelvins);
      // Without a brightness of its own, a color of channels carries it.
      const carries = native !== undefined && native.space.startsWith('rgb') && dimsColor;
      return send([
        ['state', 'ON'],
        ...(native === undefined ? [] : ([['color', colorDict(native, carries ? (brightness ?? 255) : 255)]] as const)),
        ...fading(transitionS),
        ...(brightness === null || carries || !isDimmable
          ? []
          : ([['brightness', levelOf(brightness, scale)]] as const)),
        ...(kelvin === null
          ? []
          : ([['color_temp', BigInt(isKelvin ? Math.round(kelvin) : miredsOf(kelvin))]] as const)),
        ...(effect === null || !hasEffects ? [] : ([['effect', effect]] as const)),
        ...(white === null ? [] : ([['white', levelOf(white, whiteScale)]] as const)),
      ]);
    },
    turnOff: (transitionS) => send([['state', 'OFF'], ...fading(transitionS)]),
  };
}

function colorDict({ space, channels }: NativeColor, brightness: number): PyDict {
  const isWhole = space !== 'hs' && space !== 'xy';
  return dictOf(
    channels.map((channel, at) => [
      LETTERS[space][at] ?? '',
      isWhole ? BigInt(roundFloat((channel / 255) * brightness, 0)) : channel,
    ]),
  );
}
