import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '#base/json.ts';
import type { Device } from '#core/device/device.ts';
import { byShownColor } from '#core/feature/color-way.ts';
import type { Feature } from '#core/feature/feature.ts';
import { MAX_TRANSITION_MS } from '#core/command/command-terms.ts';
import type { AskedElsewhere } from '#integrations/ports.ts';
import { chromaticityFromHue } from '#core/feature/chromaticity.ts';
import { findSettable, type Part } from '#integrations/offering/part.ts';
import { type Component, nameOf, slugOf } from './component.ts';

/** The features that a light is put together from. */
type Lamp = {
  readonly on: Feature;
  readonly brightness: Feature | undefined;
  readonly whites: Feature | undefined;
  readonly color: Feature | undefined;
  readonly effect: Feature | undefined;
};

const USUAL_KELVIN = { min: 2_000, max: 6_500 };

/** A light in the JSON form, with its own topic, because that form knows no templates. */
export function lightFrom(
  part: Part,
): { readonly component: Component; readonly used: readonly Feature[] } | undefined {
  const on = findSettable(part, 'on');
  if (on === undefined) return undefined;
  const lamp: Lamp = {
    on,
    brightness: findSettable(part, 'brightness'),
    whites: findSettable(part, 'color_temperature'),
    color: findSettable(part, 'color'),
    effect: findSettable(part, 'effect'),
  };
  const { brightness, whites, color } = lamp;
  const shines = brightness !== undefined || whites !== undefined || color !== undefined;
  const isLight = part.device.type.endsWith('_light') && on.component === 'main';
  if (!shines && !isLight) return undefined;
  const effect = lamp.effect?.valueType === 'enum' ? lamp.effect : undefined;
  const component = {
    platform: 'light',
    slug: slugOf(on.key),
    config: {
      name: nameOf(on),
      schema: 'json',
      brightness: modesOf(lamp)[0] !== 'onoff',
      brightness_scale: 100,
      supported_color_modes: [...modesOf(lamp)],
      flash: false,
      ...(whites === undefined
        ? {}
        : {
            color_temp_kelvin: true,
            min_kelvin: Math.round(whites.min ?? USUAL_KELVIN.min),
            max_kelvin: Math.round(whites.max ?? USUAL_KELVIN.max),
          }),
      ...(effect === undefined ? {} : { effect: true, effect_list: [...(effect.options ?? [])] }),
    },
    stateTopics: [],
    commands: new Map([['command_topic', (payload: string) => readLightCommand(payload, lamp)]]),
    ownState: (device: Device) => lightState(device, lamp),
  };
  const used = [on, brightness, whites, color, effect].filter((feature) => feature !== undefined);
  return { component, used };
}

function modesOf({ brightness, whites, color }: Lamp): readonly string[] {
  const colors = [...(color === undefined ? [] : ['xy']), ...(whites === undefined ? [] : ['color_temp'])];
  if (colors.length > 0) return colors;
  return [brightness === undefined ? 'onoff' : 'brightness'];
}

function lightState({ states }: Device, lamp: Lamp): JsonObject {
  const stateOf = (feature: Feature | undefined) => (feature === undefined ? undefined : states.get(feature.key));
  const valueOf = (feature: Feature | undefined): JsonValue => stateOf(feature)?.value ?? null;
  const on = valueOf(lamp.on);
  const brightness = valueOf(lamp.brightness);
  const kelvin = valueOf(lamp.whites);
  const color = colorOf(valueOf(lamp.color));
  const effect = valueOf(lamp.effect);
  // One that reports both for each change shows white, as most do.
  const isWhite =
    typeof kelvin === 'number' && (color === undefined || byShownColor(stateOf(lamp.whites), stateOf(lamp.color)) <= 0);
  const mode = isWhite ? 'color_temp' : color === undefined ? modesOf(lamp).at(-1) : 'xy';
  // Home Assistant refuses a mode without its value.
  const hasMode = isWhite || color !== undefined || (lamp.color === undefined && lamp.whites === undefined);
  return {
    state: typeof on === 'boolean' ? (on ? 'ON' : 'OFF') : null,
    ...(typeof brightness === 'number' ? { brightness: Math.round(Math.min(100, Math.max(0, brightness))) } : {}),
    ...(isWhite ? { color_temp: Math.round(kelvin) } : color === undefined ? {} : { color }),
    ...(hasMode ? { color_mode: mode ?? 'onoff' } : {}),
    ...(typeof effect === 'string' ? { effect } : {}),
  };
}

/** As x and y, the only form that is offered. */
function colorOf(value: JsonValue): JsonObject | undefined {
  if (!isJsonObject(value)) return undefined;
  const { x, y, hue, saturation } = value;
  if (typeof x === 'number' && typeof y === 'number') return { x, y };
  return typeof hue === 'number' && typeof saturation === 'number'
    ? chromaticityFromHue({ hue, saturation })
    : undefined;
}

function readLightCommand(payload: string, lamp: Lamp): AskedElsewhere | undefined {
  const asked = parseJson(payload);
  if (!isJsonObject(asked)) return undefined;
  const { state, brightness, color_temp: kelvin, color, effect, transition } = asked;
  const timed =
    typeof transition === 'number' && transition >= 0
      ? { transitionMs: Math.min(MAX_TRANSITION_MS, Math.round(transition * 1000)) }
      : {};
  if (state === 'OFF') return { set: { [lamp.on.key]: false }, ...timed };
  if (state !== 'ON') return undefined;
  const set: Record<string, JsonValue> = { [lamp.on.key]: true };
  if (brightness !== undefined && lamp.brightness !== undefined) {
    set[lamp.brightness.key] = brightness;
  }
  if (kelvin !== undefined && lamp.whites !== undefined) set[lamp.whites.key] = kelvin;
  if (color !== undefined && lamp.color !== undefined) set[lamp.color.key] = color;
  if (effect !== undefined && lamp.effect !== undefined) set[lamp.effect.key] = effect;
  return { set, ...timed };
}
