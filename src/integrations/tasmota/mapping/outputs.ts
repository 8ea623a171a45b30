import { isJsonObject, type JsonValue } from '#base/json.ts';
import { mapNumber, mapNumberBetween, numberIn } from '#core/feature/peer-value.ts';
import type { Feature } from '#core/feature/feature.ts';
import { ownFeature, wordFeature, PERCENT } from '#core/feature/new-feature.ts';
import { type Codec, namedNumber, wholeBetween } from '#integrations/peer/codec.ts';
import type { Announcement, AnnouncedShutter } from '#integrations/tasmota/announcement.ts';
import { flagFrom, type Readings, type Order, type Source } from './source.ts';

/** An output that people switch: a relay, a light, a blind, a fan. */
type Output = { readonly component: string; readonly title: string | null; readonly sources: readonly Source[] };

/** The outputs of a device, each with its own component if there are several. */
export function outputsOf(announcement: Announcement): Output[] {
  const { outputs, outputNames, shutters, isFan } = announcement;
  // The firmware numbers the relays of shutters, too.
  const powers = outputs.filter((kind) => kind !== 'none').length;
  const lights = outputs.flatMap((kind, index) => (kind === 'light' ? [index] : []));
  const made: { readonly title: string | null; readonly make: (component: string) => Source[] }[] = [];
  for (const [index, kind] of outputs.entries()) {
    const title = outputNames[index] ?? null;
    const power = powerNames(index, powers);
    if (kind === 'relay') made.push({ title, make: (component) => [powerSource(component, power, announcement)] });
    const place = lights.indexOf(index);
    if (kind === 'light' && (place === 0 || announcement.areChannelsApart || announcement.isSplitLight)) {
      const channel = { announcement, power, place, index };
      made.push({ title, make: (component) => lightSources(component, channel) });
    }
  }
  // Names are those of relays, of which each shutter has two.
  const ofShutters = outputs.flatMap((kind, index) => (kind === 'shutter' ? [outputNames[index] ?? null] : []));
  for (const [index, shutter] of shutters.entries()) {
    const title = ofShutters[index * 2] ?? null;
    made.push({ title, make: (component) => shutterSources(component, index + 1, shutter) });
  }
  const numbered = made.map(({ title, make }, index) => {
    const component = made.length === 1 ? 'main' : `output_${index + 1}`;
    return { component, title: made.length === 1 ? null : title, sources: make(component) };
  });
  return isFan ? [...numbered, { component: 'main', title: null, sources: [fanSource()] }] : numbered;
}

/** With one output the firmware leaves the number out, or has it, as it is set. With several, none means the first. */
function powerNames(index: number, count: number): readonly string[] {
  return count === 1 && index === 0 ? ['POWER', `POWER${index + 1}`] : [`POWER${index + 1}`];
}

function powerSource(component: string, names: readonly string[], { words }: Announcement): Source {
  const [name = 'POWER'] = names;
  return {
    feature: wordFeature('on', component, { writable: true }),
    names,
    read: (known) => {
      const word = names.map((one) => known.get(one)).find((one) => one !== undefined);
      return flagFrom(words, word);
    },
    write: (on) => ({ commands: [[name, on === true ? '1' : '0']], answeredBy: name }),
  };
}

type Channel = {
  readonly announcement: Announcement;
  readonly power: readonly string[];
  /** Among the lights of the device, from 0. */
  readonly place: number;
  /** Among its outputs, from 0. */
  readonly index: number;
};

/** The light's sources, its switch last: what a person says of that counts more than what a brightness implies. */
function lightSources(component: string, { announcement, power, place, index }: Channel): Source[] {
  const { lightChannels, areChannelsApart, isSplitLight } = announcement;
  const on = powerSource(component, power, announcement);
  if (areChannelsApart) return [dimmerSource(component, `Channel${index + 1}`), on];
  const suffix = isSplitLight ? `${place + 1}` : '';
  const hasColor = lightChannels >= 3 && place === 0;
  const hasWhiteHere = isSplitLight ? place === 1 : true;
  const hasTemperature = hasWhiteHere && (lightChannels === 2 || lightChannels === 5);
  return [
    ...(hasColor ? [hueSource(component)] : []),
    ...(hasTemperature ? [temperatureSource(component, announcement, hasColor)] : []),
    ...(lightChannels === 4 && !isSplitLight ? [whiteSource(component)] : []),
    dimmerSource(component, `Dimmer${suffix}`),
    on,
  ];
}

/** A feature that is one number of the device: it is read and set by the same name. */
function numberSource(name: string, feature: Feature, { read, write }: Codec): Source {
  return {
    feature,
    names: [name],
    read: (known) => read(known.get(name)),
    write: (value) => {
      const raw = write(value);
      return { commands: [[name, `${Number(raw)}`]], answeredBy: name, echo: read(raw) ?? value };
    },
  };
}

function dimmerSource(component: string, name: string): Source {
  const feature = wordFeature('brightness', component, { writable: true, min: 1, max: 100 });
  return numberSource(name, feature, wholeBetween(1, 100));
}

/** Hue and saturation; how bright it is, the brightness says. */
function hueSource(component: string): Source {
  return {
    feature: wordFeature('color', component, { writable: true, schema: HUE_ONLY }),
    names: ['HSBColor'],
    read: (known) => {
      if (known.get('HSBColor') === null) return null;
      const [hue, saturation, light] = hueParts(known);
      if (hue === undefined || saturation === undefined) return undefined;
      const isColor = hue >= 0 && hue <= 360 && saturation >= 0 && saturation <= 100;
      // White light shows as black here.
      if (!isColor || light === 0) return undefined;
      return { hue: hue % 360, saturation };
    },
    write: (color) => {
      const { hue, saturation } = hueOf(color);
      // One by one, because both at once would change the brightness too.
      const commands = [['HSBColor1', `${hue}`] as const, ['HSBColor2', `${saturation}`] as const];
      return { commands, answeredBy: 'HSBColor', echo: { hue, saturation } };
    },
  };
}

function hueParts(known: Readings): readonly number[] {
  const text = known.get('HSBColor');
  return typeof text === 'string'
    ? text
        .slice(0, 20)
        .split(',')
        .map((part) => numberIn(part) ?? Number.NaN)
    : [];
}

/** The device repeats the last color temperature with each report, also in colored light, which has no white in it. */
function isColored(known: Readings): boolean {
  const [, , light = 0] = hueParts(known);
  return light > 0 && known.get('White') === 0;
}

const HUE_ONLY = {
  type: 'object',
  properties: {
    hue: { type: 'number', minimum: 0, maximum: 360 },
    saturation: { type: 'number', minimum: 0, maximum: 100 },
  },
  required: ['hue', 'saturation'],
  additionalProperties: false,
};

function hueOf(color: JsonValue): { readonly hue: number; readonly saturation: number } {
  const { hue, saturation } = typeof color === 'object' && color !== null && 'hue' in color ? color : {};
  return { hue: Math.round(Number(hue)) % 360, saturation: Math.round(Number(saturation)) };
}

const MIRED_PER_KELVIN = 1_000_000;

function temperatureSource(component: string, { hasNarrowWhite }: Announcement, hasColor: boolean): Source {
  const [cold, warm] = hasNarrowWhite ? [200, 380] : [153, 500];
  const kelvin = (mired: number): number => Math.round(MIRED_PER_KELVIN / mired);
  return {
    feature: wordFeature('color_temperature', component, { writable: true, min: kelvin(warm), max: kelvin(cold) }),
    names: hasColor ? ['CT', 'HSBColor', 'White'] : ['CT'],
    read: (known) => {
      if (hasColor && isColored(known)) return null;
      return mapNumberBetween(known.get('CT'), [cold, warm], kelvin);
    },
    write: (wanted) => {
      const mired = Math.min(warm, Math.max(cold, Math.round(MIRED_PER_KELVIN / Number(wanted))));
      return { commands: [['CT', `${mired}`]], answeredBy: 'CT', echo: kelvin(mired) };
    },
  };
}

function whiteSource(component: string): Source {
  const feature = ownFeature('white', component, { ...PERCENT, writable: true, category: 'primary' });
  return numberSource('White', feature, wholeBetween(0, 100));
}

const COVER_COMMANDS: ReadonlyMap<JsonValue, string> = new Map([
  ['open', 'ShutterOpen'],
  ['close', 'ShutterClose'],
  ['stop', 'ShutterStop'],
]);

function shutterSources(component: string, number: number, { isInverted, tilt }: AnnouncedShutter): Source[] {
  const name = `Shutter${number}`;
  const member = (known: Readings, key: string): JsonValue | undefined => {
    const shutter = known.get(name);
    return isJsonObject(shutter) ? shutter[key] : shutter === null ? null : undefined;
  };
  const turned = (percent: number): number => (isInverted ? 100 - percent : percent);
  const positionOf = (known: Readings) => mapNumberBetween(member(known, 'Position'), [0, 100], turned);
  const order = (command: string, argument: string): Order => ({
    commands: [[`${command}${number}`, argument]],
    answeredBy: name,
  });
  const state: Source = {
    feature: wordFeature('cover_state', component, { writable: true, options: [...COVER_COMMANDS.keys()].map(String) }),
    names: [name],
    read: (known) => {
      const position = positionOf(known);
      return mapNumber(member(known, 'Direction'), (direction) => {
        if (typeof position !== 'number') return position;
        if (direction !== 0) return direction > 0 === !isInverted ? 'open' : 'close';
        return position >= 100 ? 'open' : position <= 0 ? 'close' : 'stop';
      });
    },
    write: (word) => order(COVER_COMMANDS.get(word) ?? 'ShutterStop', ''),
  };
  const position: Source = {
    feature: wordFeature('position', component, { writable: true, min: 0, max: 100 }),
    names: [name],
    read: positionOf,
    write: (percent) => ({
      ...order('ShutterPosition', `${turned(Math.round(Number(percent)))}`),
      echo: Math.round(Number(percent)),
    }),
  };
  if (tilt === null) return [state, position];
  const { min, max } = tilt;
  const percentOf = (degrees: number): number => Math.round((100 * (degrees - min)) / (max - min));
  const slats: Source = {
    feature: wordFeature('tilt', component, { writable: true, min: 0, max: 100 }),
    names: [name],
    read: (known) => mapNumberBetween(member(known, 'Tilt'), [min, max], percentOf),
    write: (percent) => {
      const degrees = Math.round(min + ((max - min) * Number(percent)) / 100);
      return { ...order('ShutterTilt', `${degrees}`), echo: percentOf(degrees) };
    },
  };
  return [state, position, slats];
}

/** By their numbers (hatasmota 0.10). */
const SPEEDS = ['off', 'low', 'medium', 'high'];

function fanSource(): Source {
  const feature = wordFeature('fan_mode', 'main', { writable: true, options: SPEEDS });
  return numberSource(
    'FanSpeed',
    feature,
    namedNumber(new Map(SPEEDS.entries()), () => null),
  );
}
