import { syntaxFault } from '#integrations/home-assistant-discovery/template/fault.ts';
import type { Value } from '#integrations/home-assistant-discovery/template/value.ts';
import { flagIn, textIn, textsIn } from '#integrations/home-assistant-discovery/message/config.ts';
import { listening, publicationTo } from '#integrations/home-assistant-discovery/entity/building.ts';
import { isNoState, wholeIn, type Part, type Report } from '#integrations/home-assistant-discovery/entity/entity.ts';
import { readingOf, writingOf } from '#integrations/home-assistant-discovery/entity/incoming.ts';
import { hsFromRgb, kelvinOf, miredsOf, rgbFromHs } from './color-space.ts';
import { hueReport, nativeColor, percentReport, type LightParts, type LightWay } from './light-way.ts';

const HS = new Set(['hs'] as const);

/** A light whose commands are texts of two templates, and whose message is read by one for each setting. */
export function templateLight({ config, deps, kelvins }: LightParts): LightWay {
  const has = (name: string): boolean => textIn(config, name) !== undefined;
  if (!has('command_on_template') || !has('command_off_template'))
    throw syntaxFault('its command templates are missing');
  const isKelvin = flagIn(config, 'color_temp_kelvin');
  const state: { brightness: number | null } = { brightness: null };
  const heard = (name: string, take: (text: string) => Report): Part['listens'] => {
    const read = readingOf(config, name, deps);
    return listening(config, 'state_topic', (message) => {
      const text = read(message);
      return text === undefined || text === '' ? undefined : take(text);
    });
  };
  const hasColor = has('red_template') && has('green_template') && has('blue_template');
  const effects = textsIn(config, 'effect_list');
  return {
    on: has('state_template')
      ? heard('state_template', (text) =>
          isNoState(text)
            ? { value: null }
            : text === 'on'
              ? { value: true }
              : text === 'off'
                ? { value: false }
                : undefined,
        )
      : new Map(),
    brightness: has('brightness_template')
      ? heard('brightness_template', (text) => {
          const level = wholeIn(text);
          if (level === undefined || level === 0) return undefined;
          state.brightness = level;
          return percentReport(level);
        })
      : null,
    kelvin: has('color_temp_template')
      ? heard('color_temp_template', (text) => {
          if (isNoState(text)) return { value: null };
          const found = wholeIn(text);
          return found === undefined || found <= 0 ? undefined : { value: isKelvin ? found : kelvinOf(found) };
        })
      : null,
    color: hasColor ? rgbHeard({ config, deps, kelvins }) : null,
    effect:
      has('effect_template') && effects !== undefined
        ? heard('effect_template', (text) => (effects.includes(text) ? { value: text } : undefined))
        : null,
    hasWhite: false,
    ...sentOf({ config, deps, kelvins }, { hasColor, state }),
  };
}

type Memory = { readonly hasColor: boolean; readonly state: { brightness: number | null } };

function sentOf(
  { config, deps, kelvins }: LightParts,
  { hasColor, state }: Memory,
): Pick<LightWay, 'turnOn' | 'turnOff'> {
  const publication = publicationTo(config);
  const [writeOn, writeOff] = [
    writingOf(config, 'command_on_template', deps),
    writingOf(config, 'command_off_template', deps),
  ];
  const isKelvin = flagIn(config, 'color_temp_kelvin');
  const hasLevel = textIn(config, 'brightness_template') !== undefined;
  const isHeard = textIn(config, 'state_topic') !== undefined;
  return {
    turnOn: ({ brightness, color, kelvin, effect, transitionS }) => {
      const native = color === null || !hasColor ? undefined : nativeColor(color, HS, kelvins);
      const [hue = 0, saturation = 0] = native?.channels ?? [];
      const shine = hasLevel ? 255 : (brightness ?? state.brightness ?? 255);
      const [red, green, blue] = rgbFromHs([hue, saturation], shine / 255);
      if (brightness !== null && !isHeard) state.brightness = brightness;
      const values = new Map<string, Value>([['state', true]]);
      if (brightness !== null) values.set('brightness', BigInt(brightness));
      if (kelvin !== null) values.set('color_temp', BigInt(isKelvin ? Math.round(kelvin) : miredsOf(kelvin)));
      if (native !== undefined) {
        const channels = { red, green, blue };
        for (const [name, channel] of Object.entries(channels)) values.set(name, BigInt(channel));
        values.set('hue', hue).set('sat', saturation);
      }
      if (effect !== null) values.set('effect', effect);
      if (transitionS !== null) values.set('transition', transitionS);
      return [publication(writeOn(null, '', values))];
    },
    turnOff: (transitionS) => {
      const values = new Map<string, Value>([['state', false]]);
      if (transitionS !== null) values.set('transition', transitionS);
      return [publication(writeOff(null, '', values))];
    },
  };
}

function rgbHeard({ config, deps }: LightParts): Part['listens'] {
  const reads = ['red_template', 'green_template', 'blue_template'].map((name) => readingOf(config, name, deps));
  return listening(config, 'state_topic', (message) => {
    const texts = reads.map((read) => read(message) ?? '');
    if (texts.every((text) => isNoState(text))) return { value: null };
    const [red, green, blue] = texts.map(wholeIn);
    if (red === undefined || green === undefined || blue === undefined) return undefined;
    return hueReport(hsFromRgb([red, green, blue]));
  });
}
