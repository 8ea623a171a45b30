import { isJsonObject, type JsonObject, type JsonValue } from '#base/json.ts';
import { mapNumber, numberIn } from '#core/feature/peer-value.ts';
import { type Chromaticity, chromaticityFromHue, type Gamut, nearestInGamut } from '#core/feature/chromaticity.ts';
import { wordFeature } from '#core/feature/new-feature.ts';
import type { Resource } from '#integrations/hue/clip/clip-message.ts';
import { effectSources } from './effect.ts';
import { memberOf, orNull, readMember, round, type Source, type Sources } from './source.ts';

/** The features of a light: a lamp or a plug. What they do not use becomes generic features. */
export function lightSources(light: Resource, component: string): Sources {
  const effects = effectSources(light, component);
  return {
    sources: [
      ...[onSource, brightnessSource, whiteSource, colorSource].flatMap((make) => make(light, component) ?? []),
      ...effects.sources,
      ...(powerOnSource(light, component) ?? []),
    ],
    used: [
      'on',
      'dimming',
      'dimming_delta',
      'color_temperature',
      'color_temperature_delta',
      'color.xy',
      'powerup.preset',
      'identify',
      ...effects.used,
    ],
  };
}

type MakeSource = (light: Resource, component: string) => Source | undefined;

const onSource: MakeSource = (light, component) =>
  memberOf(light, 'on') && {
    feature: wordFeature('on', component, { writable: true }),
    member: 'on',
    read: readMember(({ on }) => orNull(on, typeof on === 'boolean' ? on : undefined)),
    write: (on) => ({ body: { on: { on } }, echo: on }),
  };

/** The bridge makes its least brightness of 0 and leaves the lamp on, so 0 is not offered. */
const LEAST_PERCENT = 1;

const brightnessSource: MakeSource = (light, component) => {
  const dimming = memberOf(light, 'dimming');
  if (dimming === undefined) return undefined;
  const min = Math.min(100, Math.max(LEAST_PERCENT, Math.ceil(numberIn(dimming['min_dim_level']) ?? 0)));
  return {
    feature: wordFeature('brightness', component, { writable: true, min, max: 100 }),
    member: 'dimming',
    read: readMember(({ brightness }) => mapNumber(brightness, (percent) => round(percent, 2))),
    // The bridge would keep the brightness for later while the lamp is off. A brightness means light, so it also switches on.
    write: (brightness) => ({ body: { on: { on: true }, dimming: { brightness } }, echo: brightness }),
  };
};

const MIREDS = { least: 153, most: 500 };
const kelvinFromMired = (mired: number): number => Math.round(1e6 / mired);

const whiteSource: MakeSource = (light, component) => {
  const white = memberOf(light, 'color_temperature');
  if (white === undefined) return undefined;
  const schema = isJsonObject(white['mirek_schema']) ? white['mirek_schema'] : {};
  const least = miredOf(schema['mirek_minimum']) ?? MIREDS.least;
  const most = Math.max(least, miredOf(schema['mirek_maximum']) ?? MIREDS.most);
  return {
    feature: wordFeature('color_temperature', component, {
      writable: true,
      min: kelvinFromMired(most),
      max: kelvinFromMired(least),
    }),
    member: 'color_temperature',
    // While the lamp shows a color there is no color temperature.
    read: readMember(({ mirek, mirek_valid: isValid }) => {
      if (isValid === false || mirek === null) return null;
      const mired = miredOf(mirek);
      return mired === undefined ? undefined : kelvinFromMired(mired);
    }),
    write: (kelvin) => {
      const mirek = Math.min(most, Math.max(least, Math.round(1e6 / Number(kelvin))));
      return { body: { color_temperature: { mirek } }, echo: kelvinFromMired(mirek) };
    },
  };
};

function miredOf(value: JsonValue | undefined): number | undefined {
  const mired = numberIn(value);
  return mired !== undefined && mired >= 50 && mired <= 1000 ? mired : undefined;
}

const colorSource: MakeSource = (light, component) => {
  const color = memberOf(light, 'color');
  if (color === undefined) return undefined;
  const gamut = readGamut(color['gamut']);
  return {
    feature: wordFeature('color', component, { writable: true }),
    member: 'color',
    read: readMember(({ xy }) => orNull<JsonObject>(xy, readPoint(xy))),
    write: (value) => {
      const asked = chromaticityFrom(isJsonObject(value) ? value : {});
      const { x, y } = gamut === undefined ? asked : nearestInGamut(asked, gamut);
      const xy = { x: round(x, 4), y: round(y, 4) };
      return { body: { color: { xy } }, echo: xy };
    },
  };
};

function chromaticityFrom({ x, y, hue, saturation }: JsonObject): Chromaticity {
  if (typeof x === 'number' && typeof y === 'number') return { x, y };
  return chromaticityFromHue({ hue: Number(hue), saturation: Number(saturation) });
}

function readPoint(value: JsonValue | undefined): Chromaticity | undefined {
  if (!isJsonObject(value)) return undefined;
  const [x, y] = [numberIn(value['x']), numberIn(value['y'])];
  return x === undefined || y === undefined ? undefined : { x, y };
}

function readGamut(value: JsonValue | undefined): Gamut | undefined {
  if (!isJsonObject(value)) return undefined;
  const [red, green, blue] = [readPoint(value['red']), readPoint(value['green']), readPoint(value['blue'])];
  return red === undefined || green === undefined || blue === undefined ? undefined : [red, green, blue];
}

/** The vocabulary's word for each preset that can be set without further values (aiohue 4.9): all but `custom`. */
const POWER_ON_WORDS = new Map([
  ['safety', 'on'],
  ['powerfail', 'previous'],
  ['last_on_state', 'last_on_state'],
]);

const powerOnSource = (light: Resource, component: string): readonly Source[] | undefined =>
  memberOf(light, 'powerup') && [
    {
      feature: wordFeature('power_on_behavior', component, { writable: true, options: [...POWER_ON_WORDS.values()] }),
      member: 'powerup',
      read: readMember(({ preset }) =>
        orNull(preset, typeof preset === 'string' ? (POWER_ON_WORDS.get(preset) ?? preset) : undefined),
      ),
      write: (word) => {
        const preset = [...POWER_ON_WORDS].find(([, known]) => known === word)?.[0] ?? 'safety';
        return { body: { powerup: { preset } }, echo: word };
      },
    },
  ];
