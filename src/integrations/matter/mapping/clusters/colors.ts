import { isJsonObject, type JsonObject, type JsonValue } from '#base/json.ts';
import { type Chromaticity, chromaticityFromHue, type Hue } from '#core/feature/chromaticity.ts';
import { wordFeature } from '#core/feature/new-feature.ts';
import { hueFromRgb, rgbFromColor } from '#core/feature/rgb.ts';
import {
  clamp,
  invoke,
  type Look,
  numberFrom,
  meaningOf,
  numberIn,
  type Part,
  rounded,
  whereWritable,
  write,
  wordsFrom,
} from '#integrations/matter/mapping/source.ts';

const MOST_XY = 65_279;
const MOST_MIREDS = 65_279;
const USUAL_MIREDS = [153, 500] as const;
const ALSO_IF_OFF = { executeIfOff: true };
/** A lamp that is off takes levels and colors too, for when it is on again. */
export const OPTIONS: JsonObject = { optionsMask: ALSO_IF_OFF, optionsOverride: ALSO_IF_OFF };

/** The numbers of `colorMode` for what the lamp shows. */
const MODE = { hue: 0, xy: 1, white: 2 } as const;

function modeOf(look: Look): number | undefined {
  return numberFrom(look('colorControl.colorMode'));
}

export function colorSources(part: Part): void {
  const hasPoint = part.has('colorControl.currentX') && part.has('colorControl.currentY');
  const hasHue = part.has('colorControl.currentHue') && part.has('colorControl.currentSaturation');
  const hasWhite = part.has('colorControl.colorTemperatureMireds');
  if (hasPoint || hasHue) addColor(part, { hasPoint, hasHue });
  if (hasWhite) addWhite(part, hasPoint || hasHue);
  part.hide('colorControl.colorMode', 'colorControl.enhancedColorMode');
  const loop = 'colorControl.colorLoopActive';
  if (!part.has(loop) || !part.takes('colorControl.colorLoopSet')) return;
  part.add(
    {
      feature: wordFeature('effect', part.component, { writable: true, options: ['none', 'color_loop'] }),
      from: [loop],
      read: (look) => meaningOf(LOOPS, look(loop)),
      write: (effect) => [invoke(part, 'colorControl.colorLoopSet', { fields: loopFields(effect === 'color_loop') })],
    },
    loop,
  );
}

const LOOPS = wordsFrom({ 0: 'none', 1: 'color_loop' });

/** From the color that the lamp has now. */
function loopFields(isOn: boolean): JsonObject {
  const updateFlags = { updateAction: true, updateDirection: false, updateTime: false, updateStartHue: false };
  return { updateFlags, action: isOn ? 2 : 0, direction: 0, time: 0, startHue: 0, ...OPTIONS };
}

type Forms = { readonly hasPoint: boolean; readonly hasHue: boolean };

function addColor(part: Part, { hasPoint, hasHue }: Forms): void {
  const points = ['colorControl.currentX', 'colorControl.currentY'] as const;
  const hues = ['colorControl.currentHue', 'colorControl.currentSaturation'] as const;
  const [x, y] = points;
  const [hue, saturation] = hues;
  const takesPoint = part.takes('colorControl.moveToColor');
  const takesHue = part.takes('colorControl.moveToHueAndSaturation');
  const shown = [...(hasPoint ? points : []), ...(hasHue ? hues : [])];
  part.add(
    {
      feature: wordFeature('color', part.component, { writable: takesPoint || takesHue }),
      from: [...shown, 'colorControl.colorMode'],
      read: (look) => {
        const mode = modeOf(look);
        // In white light, or in a mode that is no color of the standard, the color is one from before.
        if (mode !== undefined && mode !== MODE.hue && mode !== MODE.xy) return null;
        const isHue = hasHue && (mode === MODE.hue || !hasPoint);
        return isHue ? hueIn(look(hue), look(saturation)) : pointIn(look(x), look(y));
      },
      ...whereWritable(takesPoint || takesHue, (color, { transition }) => {
        const isHueGiven = isJsonObject(color) && Object.hasOwn(color, 'hue');
        const asHue = takesHue && (isHueGiven || !takesPoint);
        const fields = { ...(asHue ? hueFields(color) : pointFields(color)), transitionTime: transition, ...OPTIONS };
        return [invoke(part, asHue ? 'colorControl.moveToHueAndSaturation' : 'colorControl.moveToColor', { fields })];
      }),
    },
    ...shown,
  );
}

function hueIn(hue: JsonValue | undefined, saturation: JsonValue | undefined): Hue | undefined {
  const [turn, share] = [numberIn(hue, [0, 254]), numberIn(saturation, [0, 254])];
  if (turn === undefined || share === undefined) return undefined;
  return { hue: Number(((turn * 360) / 254).toFixed(1)) % 360, saturation: Number(((share * 100) / 254).toFixed(1)) };
}

function pointIn(x: JsonValue | undefined, y: JsonValue | undefined): Chromaticity | undefined {
  const [left, up] = [numberIn(x, [0, MOST_XY]), numberIn(y, [0, MOST_XY])];
  if (left === undefined || up === undefined) return undefined;
  return { x: Number((left / 65_536).toFixed(4)), y: Number((up / 65_536).toFixed(4)) };
}

function hueFields(color: JsonValue): JsonObject {
  const given = isJsonObject(color) ? color : {};
  const { hue, saturation } =
    typeof given['hue'] === 'number'
      ? { hue: given['hue'], saturation: Number(given['saturation']) }
      : hueFromRgb(rgbFromColor(color));
  const part = (value: number, whole: number): number => clamp(rounded((value * 254) / whole), [0, 254]);
  return { hue: part(hue, 360), saturation: part(saturation, 100) };
}

function pointFields(color: JsonValue): JsonObject {
  const { x, y, hue, saturation } = isJsonObject(color) ? color : {};
  const point =
    typeof hue === 'number' && typeof saturation === 'number'
      ? chromaticityFromHue({ hue, saturation })
      : { x: Number(x), y: Number(y) };
  const share = (value: number): number => clamp(rounded(value * 65_536), [0, MOST_XY]);
  return { colorX: share(point.x), colorY: share(point.y) };
}

function addWhite(part: Part, hasColor: boolean): void {
  const place = 'colorControl.colorTemperatureMireds';
  const [least, most] = miredsOf(part);
  const writable = part.takes('colorControl.moveToColorTemperature');
  const range = { min: rounded(1e6 / most), max: rounded(1e6 / least) };
  const kelvinIn = (value: JsonValue | undefined): number | undefined => {
    const mireds = numberIn(value, [1, MOST_MIREDS]);
    return mireds === undefined ? undefined : rounded(1e6 / mireds);
  };
  const miredsIn = (kelvin: JsonValue): number => clamp(rounded(1e6 / Number(kelvin)), [least, most]);
  part.add(
    {
      feature: wordFeature('color_temperature', part.component, { writable, ...range }),
      from: [place, 'colorControl.colorMode'],
      // In colored light it is one from before.
      read: (look) => (hasColor && (modeOf(look) ?? MODE.white) !== MODE.white ? null : kelvinIn(look(place))),
      ...whereWritable(writable, (kelvin, { also, transition }) => {
        // What is said of the color counts more.
        if (also('color') !== undefined) return [];
        const fields = { colorTemperatureMireds: miredsIn(kelvin), transitionTime: transition, ...OPTIONS };
        return [invoke(part, 'colorControl.moveToColorTemperature', { fields })];
      }),
    },
    place,
    'colorControl.colorTempPhysicalMinMireds',
    'colorControl.colorTempPhysicalMaxMireds',
  );
  const start = 'colorControl.startUpColorTemperatureMireds';
  if (!part.has(start)) return;
  part.add(
    {
      feature: wordFeature('start_up_color_temperature', part.component, { writable: true, ...range }),
      from: [start],
      read: (look) => kelvinIn(look(start)),
      write: (kelvin) => [write(part, start, miredsIn(kelvin))],
    },
    start,
  );
}

/** Lamps that do not know their range have the usual one. */
function miredsOf(part: Part): readonly [number, number] {
  const least = numberIn(part.find('colorControl.colorTempPhysicalMinMireds'), [1, MOST_MIREDS]);
  const most = numberIn(part.find('colorControl.colorTempPhysicalMaxMireds'), [1, MOST_MIREDS]);
  return least === undefined || most === undefined || least >= most ? USUAL_MIREDS : [least, most];
}
