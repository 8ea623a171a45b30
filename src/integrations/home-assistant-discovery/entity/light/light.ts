import { isJsonObject, type JsonValue } from '#base/json.ts';
import type { Feature } from '#core/feature/feature.ts';
import { ownFeature, wordFeature } from '#core/feature/new-feature.ts';
import { syntaxFault } from '#integrations/home-assistant-discovery/template/fault.ts';
import { roundFloat } from '#integrations/home-assistant-discovery/template/number.ts';
import { numberIn, textIn, textsIn, type Config } from '#integrations/home-assistant-discovery/message/config.ts';
import {
  controlDetails,
  neighbourOf,
  type EntityMaker,
  type Place,
} from '#integrations/home-assistant-discovery/entity/building.ts';
import { entityOf, type Part, type Wishes } from '#integrations/home-assistant-discovery/entity/entity.ts';
import { basicLight } from './basic-light.ts';
import { jsonLight } from './json-light.ts';
import { templateLight } from './template-light.ts';
import { kelvinOf, type Kelvins } from './color-space.ts';
import type { LightCall, LightWay } from './light-way.ts';

/** A lamp, whose command may be one message for all that it names, or one for each. */
export const light: EntityMaker = (config, place, deps) => {
  const kelvins = kelvinsIn(config);
  const schema = textIn(config, 'schema') ?? 'basic';
  const around = { config, deps, kelvins };
  if (schema === 'json') return lightFrom(config, place, { way: jsonLight(around), kelvins });
  if (schema === 'template') return lightFrom(config, place, { way: templateLight(around), kelvins });
  if (schema !== 'basic') throw syntaxFault(`a light of the schema ${schema.slice(0, 40)}`);
  return lightFrom(config, place, { way: basicLight(around), kelvins });
};

function kelvinsIn(config: Config): Kelvins {
  const [warmest, coldest] = [numberIn(config, 'max_mireds'), numberIn(config, 'min_mireds')];
  const min = warmest === undefined || warmest <= 0 ? numberIn(config, 'min_kelvin') : kelvinOf(warmest);
  const max = coldest === undefined || coldest <= 0 ? numberIn(config, 'max_kelvin') : kelvinOf(coldest);
  const kelvins = { min: min ?? 2_000, max: max ?? 6_535 };
  if (!(kelvins.min > 0 && kelvins.max > kelvins.min)) throw syntaxFault('its color temperatures are no range');
  return kelvins;
}

type Made = { readonly way: LightWay; readonly kelvins: Kelvins };

function lightFrom(config: Config, place: Place, { way, kelvins }: Made): ReturnType<EntityMaker> {
  const parts: Part[] = [];
  const { component } = place;
  const add = (feature: Feature, listens: Part['listens']): void =>
    void parts.push({ feature: { ...feature, readable: listens.size > 0 }, listens });
  const details = { writable: true };
  add(wordFeature('on', component, controlDetails(config, place)), way.on);
  const more = (feature: Feature): Feature => neighbourOf(place, feature);
  if (way.brightness !== null)
    add(more(wordFeature('brightness', component, { ...details, min: 1, max: 100 })), way.brightness);
  if (way.kelvin !== null) {
    const { min, max } = kelvins;
    add(more(wordFeature('color_temperature', component, { ...details, min, max })), way.kelvin);
  }
  if (way.color !== null) add(more(wordFeature('color', component, details)), way.color);
  const effects = way.effect === null ? undefined : textsIn(config, 'effect_list');
  if (way.effect !== null && effects !== undefined && effects.length > 0)
    add(more(wordFeature('effect', component, { ...details, options: effects })), way.effect);
  if (way.hasWhite) {
    const white = { ...details, valueType: 'number', category: 'primary', unit: 'percent', min: 1, max: 100 } as const;
    add(more(ownFeature('white', component, white)), new Map());
  }
  const wordByKey = new Map(parts.map(({ feature }) => [feature.key, feature.capability]));
  return entityOf(parts, {
    publishTogether: (wishes, transitionMs) => {
      const call = callFrom(wishes, wordByKey, transitionMs);
      if (call === undefined) return undefined;
      return call.isOff ? way.turnOff(call.transitionS) : way.turnOn(call);
    },
  });
}

/** `undefined` if a value is none that a light takes. */
function callFrom(
  wishes: Wishes,
  wordByKey: ReadonlyMap<string, string>,
  transitionMs: number | null,
): (LightCall & { readonly isOff: boolean }) | undefined {
  const wished = new Map([...wishes].map(([key, value]) => [wordByKey.get(key), value]));
  const on = wished.get('on');
  const level = (word: string): number | null | undefined => {
    const percent = wished.get(word);
    if (percent === undefined) return null;
    return typeof percent === 'number' ? roundFloat((255 * percent) / 100, 0) : undefined;
  };
  const [brightness, white] = [level('brightness'), level('x.white')];
  const color = colorFrom(wished.get('color'));
  const kelvin = wished.get('color_temperature') ?? null;
  const effect = wished.get('effect') ?? null;
  if (brightness === undefined || white === undefined || color === undefined) return undefined;
  if (on !== undefined && typeof on !== 'boolean') return undefined;
  if ((kelvin !== null && typeof kelvin !== 'number') || (effect !== null && typeof effect !== 'string'))
    return undefined;
  const transitionS = transitionMs === null ? null : transitionMs / 1_000;
  // White at a level is its own kind of brightness.
  const shine = white === null ? { brightness, white } : { brightness: null, white: brightness ?? white };
  return { ...shine, color, kelvin, effect, transitionS, isOff: on === false || brightness === 0 || white === 0 };
}

function colorFrom(color: JsonValue | undefined): LightCall['color'] | undefined {
  if (color === undefined) return null;
  if (!isJsonObject(color)) return undefined;
  const { x, y, hue, saturation } = color;
  if (typeof x === 'number' && typeof y === 'number') return { xy: [x, y] };
  return typeof hue === 'number' && typeof saturation === 'number' ? { hs: [hue, saturation] } : undefined;
}
