import { PERCENT } from '#core/feature/new-feature.ts';
import { hueFromRgb, rgbFromColor } from '#core/feature/rgb.ts';
import { type Draft, type Message, putFlag, putFloat } from '#integrations/esphome/wire/protobuf.ts';
import {
  type EntityKind,
  optionsIn,
  percentOf,
  type Place,
  type Source,
  word,
  own,
  writeFlag,
  writeShare,
  writeText,
} from './entity.ts';

/** Color modes are sets of abilities (`api.proto` of aioesphomeapi 45.13). */
const BRIGHTNESS = 2;
const WHITE = 4;
const TEMPERATURE = 8;
const COLD_WARM = 16;
const RGB = 32;
const MAX_MODES = 32;
const NO_EFFECT = 'None';
const USUAL_KELVIN = [2_000, 6_536] as const;

export const light: EntityKind = {
  word: 'light',
  rank: 'output',
  listed: { type: 15, category: 15, device: 16 },
  state: { type: 24, device: 14 },
  command: { type: 32, device: 28 },
  make: lightSources,
};

/**
 * Makes the parts of a light. The switch comes last, because a person's word for it counts more than what a color
 * implies.
 */
function lightSources(listed: Message, place: Place): readonly Source[] {
  const modes = listed.numbers(12, MAX_MODES).reduce((all, mode) => all | mode, 0);
  const effects = optionsIn(listed, 11);
  return [
    ...(effects.length === 0 ? [] : [effectSource(place, effects)]),
    ...((modes & RGB) === 0 ? [] : [colorSource(place)]),
    ...((modes & (TEMPERATURE | COLD_WARM)) === 0 ? [] : [temperatureSource(place, listed)]),
    ...((modes & WHITE) === 0 ? [] : [whiteSource(place)]),
    ...((modes & BRIGHTNESS) === 0 ? [] : [brightnessSource(place)]),
    {
      feature: word(place, 'on', { writable: true }),
      read: (state) => state.flag(2),
      write: writeFlag({ has: 2, value: 3 }),
    },
  ];
}

/** The flags that switch a light on. */
const LIT = [2, 3];

function putOn(draft: Draft): void {
  for (const flag of LIT) putFlag(draft, flag, true);
}

/** A brightness means light, so it also switches on. */
function brightnessSource(place: Place): Source {
  return {
    feature: word(place, 'brightness', { writable: true, min: 1, max: 100 }),
    read: (state) => {
      const percent = percentOf(state.float(3));
      if (percent === undefined) return null;
      return percent === 0 ? undefined : Math.max(1, percent);
    },
    write: writeShare({ has: 4, value: 5, also: LIT }),
  };
}

function isIn(state: Message, abilities: number): boolean {
  return (state.number(11) & abilities) !== 0;
}

function colorSource(place: Place): Source {
  return {
    feature: word(place, 'color', { writable: true }),
    read: (state) => {
      const rgb = [state.float(4), state.float(5), state.float(6)].map((part) => Math.round(part * 255));
      const [red = 0, green = 0, blue = 0] = rgb;
      // Black is no color of light, and in white light the color is one from before.
      if (!isIn(state, RGB) || !rgb.every((part) => part >= 0 && part <= 255)) return null;
      return Math.max(...rgb) > 0 ? hueFromRgb([red, green, blue]) : undefined;
    },
    write: (color, draft) => {
      const [red, green, blue] = rgbFromColor(color);
      putOn(draft);
      putFlag(draft, 6, true);
      for (const [field, part] of [
        [7, red],
        [8, green],
        [9, blue],
      ] as const) {
        putFloat(draft, field, part / 255);
      }
      putFlag(draft, 20, true);
      putFloat(draft, 21, 1);
    },
  };
}

function temperatureSource(place: Place, listed: Message): Source {
  const [least, most] = [listed.float(9), listed.float(10)];
  const isRange = least > 0 && most > least && Number.isFinite(most);
  const [min, max] = isRange ? [Math.round(1e6 / most), Math.round(1e6 / least)] : USUAL_KELVIN;
  return {
    feature: word(place, 'color_temperature', { writable: true, min, max }),
    read: (state) => {
      const mired = state.float(8);
      const isWhite = isIn(state, TEMPERATURE | COLD_WARM) && mired >= 1 && mired < 10_000;
      return isWhite ? Math.round(1e6 / mired) : null;
    },
    write: (kelvin, draft) => {
      putOn(draft);
      putFlag(draft, 12, true);
      putFloat(draft, 13, 1e6 / Number(kelvin));
    },
  };
}

/** White LEDs beside colored ones. */
function whiteSource(place: Place): Source {
  return {
    feature: own(place, { ...PERCENT, writable: true }, 'white'),
    read: (state) => percentOf(state.float(7)) ?? null,
    write: writeShare({ has: 10, value: 11, also: LIT }),
  };
}

function effectSource(place: Place, effects: readonly string[]): Source {
  return {
    feature: word(place, 'effect', { writable: true, options: [...new Set([NO_EFFECT, ...effects])] }),
    read: (state) => state.text(9) || NO_EFFECT,
    write: writeText({ has: 18, value: 19, also: LIT }),
  };
}
