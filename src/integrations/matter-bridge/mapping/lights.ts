import { isJsonObject, type JsonObject, type JsonValue } from '#base/json.ts';
import { chromaticityFromHue } from '#core/feature/chromaticity.ts';
import type { Device } from '#core/device/device.ts';
import { byShownColor } from '#core/feature/color-way.ts';
import type { Feature } from '#core/feature/feature.ts';
import { hueFromRgb, rgbFromColor } from '#core/feature/rgb.ts';
import { findSettable, findState, type Part } from '#integrations/offering/part.ts';
import { asking, clamp, fitting, type Mapped, numberOf, type ReadCommand, timed, valueOf } from './endpoint.ts';

type Lamp = {
  readonly on: Feature;
  readonly brightness: Feature | undefined;
  readonly white: Feature | undefined;
  readonly color: Feature | undefined;
};

/** From 1 to this; 0 is no level of a light. */
const MOST_LEVEL = 254;
const MOST_XY = 65_279;
const USUAL_KELVIN = { min: 2_000, max: 6_500 };
/** The numbers of ColorControl for what the light shows. */
const MODE = { hue: 0, xy: 1, white: 2 } as const;

/** A light, or a plug for what is switched and says nothing of light. */
export function lightFrom(part: Part): Mapped | undefined {
  const on = findSettable(part, 'on');
  if (on === undefined) return undefined;
  const brightness = findSettable(part, 'brightness');
  const white = brightness && findSettable(part, 'color_temperature');
  const color = brightness && findSettable(part, 'color');
  const lamp: Lamp = { on, brightness, white, color };
  const power = findState(part, 'power');
  const isPlain = brightness === undefined;
  const kind = !isPlain ? lightKind(lamp) : part.device.type.endsWith('_light') ? 'on_off_light' : 'on_off_plug';
  const hasPower = kind === 'on_off_plug' && power !== undefined;
  return {
    kind,
    parts: hasPower ? ['power'] : [],
    main: on,
    used: [on, brightness, white, color].filter((feature) => feature !== undefined),
    state: (device) => ({
      onOff: { onOff: valueOf(device, on) === true },
      ...(isPlain ? {} : { levelControl: { currentLevel: levelOf(device, brightness) } }),
      ...(white === undefined && color === undefined ? {} : { colorControl: colorState(device, lamp) }),
      ...(hasPower ? { electricalPowerMeasurement: powerState(part, device) } : {}),
    }),
    commands: commandsOf(lamp),
  };
}

function lightKind({ white, color }: Lamp): Mapped['kind'] {
  if (color !== undefined) return 'extended_color_light';
  return white === undefined ? 'dimmable_light' : 'color_temperature_light';
}

function levelOf(device: Device, brightness: Feature | undefined): number | null {
  const percent = numberOf(device, brightness);
  return percent === null ? null : clamp(Math.round((percent * MOST_LEVEL) / 100), 1, MOST_LEVEL);
}

function commandsOf({ on, brightness, white, color }: Lamp): ReadonlyMap<string, ReadCommand> {
  const commands = new Map<string, ReadCommand>([
    ['on_off.on', asking({ [on.key]: true })],
    ['on_off.off', asking({ [on.key]: false })],
  ]);
  if (brightness !== undefined) {
    commands.set('level.set', ({ level, transitionTime, withOnOff = false }) => {
      if (typeof level !== 'number') return undefined;
      if (withOnOff === true && level <= 1) return { set: { [on.key]: false }, ...timed(transitionTime) };
      const percent = fitting(brightness, Math.round((level * 1000) / MOST_LEVEL) / 10);
      return {
        set: { ...(withOnOff === true ? { [on.key]: true } : {}), [brightness.key]: percent },
        ...timed(transitionTime),
      };
    });
  }
  if (white !== undefined) {
    commands.set('color.white', ({ mireds, transitionTime }) => {
      if (typeof mireds !== 'number' || mireds <= 0) return undefined;
      return { set: { [white.key]: fitting(white, Math.round(1_000_000 / mireds)) }, ...timed(transitionTime) };
    });
  }
  if (color !== undefined) {
    commands.set('color.xy', ({ x, y, transitionTime }) => {
      if (typeof x !== 'number' || typeof y !== 'number') return undefined;
      const point = { x: Number((x / 65_536).toFixed(5)), y: Number((y / 65_536).toFixed(5)) };
      return { set: { [color.key]: point }, ...timed(transitionTime) };
    });
    commands.set('color.hue', ({ hue, saturation, transitionTime }) => {
      if (typeof hue !== 'number' || typeof saturation !== 'number') return undefined;
      const wanted = { hue: degreesOf(hue), saturation: Number(((saturation * 100) / 254).toFixed(2)) };
      return { set: { [color.key]: wanted }, ...timed(transitionTime) };
    });
  }
  return commands;
}

function degreesOf(hue: number): number {
  return Number((((hue * 360) / 254) % 360).toFixed(2));
}

/** Both colors at once mean white, as most lamps report it. */
function colorState(device: Device, { white, color }: Lamp): JsonObject {
  const stateOf = (feature: Feature | undefined) =>
    feature === undefined ? undefined : device.states.get(feature.key);
  const shown = colorOf(valueOf(device, color));
  const isWhite = white !== undefined && (shown === undefined || byShownColor(stateOf(white), stateOf(color)) <= 0);
  const mode = isWhite ? MODE.white : MODE.xy;
  const [low, high] = [miredsOf(white?.max ?? USUAL_KELVIN.max), miredsOf(white?.min ?? USUAL_KELVIN.min)];
  const kelvin = numberOf(device, white);
  return {
    colorMode: mode,
    enhancedColorMode: mode,
    colorTempPhysicalMinMireds: low,
    colorTempPhysicalMaxMireds: high,
    coupleColorTempToLevelMinMireds: low,
    colorTemperatureMireds: kelvin === null || kelvin <= 0 ? low : clamp(miredsOf(kelvin), low, high),
    ...(color === undefined ? {} : (shown ?? NO_COLOR)),
  };
}

/** White, as the standard begins. */
const NO_COLOR: JsonObject = { currentX: 24_939, currentY: 24_701, currentHue: 0, currentSaturation: 0 };

function miredsOf(kelvin: number): number {
  return Math.round(1_000_000 / kelvin);
}

function colorOf(value: JsonValue): JsonObject | undefined {
  if (!isJsonObject(value)) return undefined;
  const { hue, saturation, x, y } = value;
  if (typeof hue === 'number' && typeof saturation === 'number') {
    return { ...pointOf(chromaticityFromHue({ hue, saturation })), ...hueOf({ hue, saturation }) };
  }
  if (typeof x !== 'number' || typeof y !== 'number') return undefined;
  return { ...pointOf({ x, y }), ...hueOf(hueFromRgb(rgbFromColor(value))) };
}

function pointOf({ x, y }: { readonly x: number; readonly y: number }): JsonObject {
  const share = (part: number): number => clamp(Math.round(part * 65_536), 0, MOST_XY);
  return { currentX: share(x), currentY: share(y) };
}

function hueOf({ hue, saturation }: { readonly hue: number; readonly saturation: number }): JsonObject {
  return {
    currentHue: clamp(Math.round((hue * 254) / 360), 0, 254),
    currentSaturation: clamp(Math.round((saturation * 254) / 100), 0, 254),
  };
}

/** In thousandths of watts, volts and amperes. */
function powerState(part: Part, device: Device): JsonObject {
  const milli = (capability: string): number | null => {
    const value = numberOf(device, findState(part, capability));
    return value === null ? null : Math.round(value * 1000);
  };
  const measured = MEASURED.filter(({ capability }) => findState(part, capability) !== undefined);
  return {
    powerMode: 2,
    numberOfMeasurementTypes: measured.length,
    accuracy: measured.map(({ type, most }) => ({
      measurementType: type,
      measured: true,
      minMeasuredValue: -most,
      maxMeasuredValue: most,
      accuracyRanges: [{ rangeMin: -most, rangeMax: most, percentMax: 500 }],
    })),
    ...Object.fromEntries(measured.map(({ capability, attribute }) => [attribute, milli(capability)])),
  };
}

const MEASURED = [
  { capability: 'power', attribute: 'activePower', type: 5, most: 100_000_000 },
  { capability: 'voltage', attribute: 'voltage', type: 1, most: 1_000_000 },
  { capability: 'current', attribute: 'activeCurrent', type: 2, most: 1_000_000 },
];
