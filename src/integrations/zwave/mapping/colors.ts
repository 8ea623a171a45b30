import { numberIn } from '#core/feature/peer-value.ts';
import { type JsonValue, objectOf } from '#base/json.ts';
import { ownFeature, wordFeature } from '#core/feature/new-feature.ts';
import { hueFromRgb, rgbFromColor } from '#core/feature/rgb.ts';
import type { ValueId } from '#integrations/zwave/zwave-message.ts';
import { control, type Part } from './source.ts';

const COLOR_SWITCH = 51;
const PERCENT = { unit: 'percent', min: 0, max: 100 } as const;
/** Components of a color (@zwave-js/cc 15.29); amber, cyan and purple have features of their own. */
const [WARM, COLD, RED, GREEN, BLUE] = [0, 1, 2, 3, 4];
const NAMES = ['warmWhite', 'coldWhite', 'red', 'green', 'blue'] as const;
/** The server has no range of color temperatures; this is the usual one of Z-Wave lamps. */
const WARMEST_K = 2_700;
const COLDEST_K = 6_500;

/** The color of a lamp, and the mix of its whites. */
export function colorSources(part: Part): void {
  const [shown, target] = [part.find(COLOR_SWITCH, 'currentColor'), part.find(COLOR_SWITCH, 'targetColor')];
  if (shown === undefined || target === undefined) return;
  const channels = part.list(COLOR_SWITCH).filter(({ id }) => id.property === 'currentColor');
  const has = (channel: number): boolean => channels.some(({ id }) => id.propertyKey === channel);
  const parts = part
    .list(COLOR_SWITCH)
    .filter(({ id }) => ['currentColor', 'targetColor', 'hexColor'].includes(`${id.property}`));
  const whites = { ...(has(WARM) ? { warmWhite: 0 } : {}), ...(has(COLD) ? { coldWhite: 0 } : {}) };
  const dark = has(RED) ? { red: 0, green: 0, blue: 0 } : {};
  if (has(RED) && has(GREEN) && has(BLUE)) {
    part.add(
      control(
        wordFeature('color', part.component),
        { shown, target },
        {
          read: (color) => {
            const [red, green, blue] = NAMES.slice(2).map((name) => channelOf(color, name));
            if (red === undefined || green === undefined || blue === undefined) return null;
            // Black is no color of light.
            return Math.max(red, green, blue) === 0 ? undefined : hueFromRgb([red, green, blue]);
          },
          write: (color) => {
            const [red, green, blue] = rgbFromColor(color);
            return { ...whites, red, green, blue };
          },
        },
      ),
      ...parts,
    );
  }
  if (has(WARM) && has(COLD)) {
    const range = { min: WARMEST_K, max: COLDEST_K };
    part.add(
      control(
        wordFeature('color_temperature', part.component, range),
        { shown, target },
        {
          read: (color) => {
            const [warm, cold] = [channelOf(color, 'warmWhite'), channelOf(color, 'coldWhite')];
            if (warm === undefined || cold === undefined) return null;
            if (warm + cold === 0) return has(RED) ? null : undefined;
            return kelvinOf(cold / (warm + cold));
          },
          write: (kelvin) => {
            const coldWhite = Math.round(255 * coldShareOf(Number(kelvin)));
            return { ...dark, warmWhite: 255 - coldWhite, coldWhite };
          },
        },
      ),
      ...parts,
    );
    return;
  }
  for (const name of NAMES.slice(0, 2)) {
    if (!(name in whites)) continue;
    const details = { valueType: 'number', category: 'primary', ...PERCENT } as const;
    part.add(
      control(
        ownFeature('white', part.component, details),
        { shown, target },
        {
          read: (color) => {
            const level = channelOf(color, name);
            return level === undefined ? null : Math.round((100 * level) / 255);
          },
          write: (percent) => ({ [name]: Math.round((Number(percent) * 255) / 100) }),
        },
      ),
      ...parts,
    );
  }
}

/** In mired, because that is how lamps mix their two whites. */
function coldShareOf(kelvin: number): number {
  const [warmest, coldest] = [1e6 / WARMEST_K, 1e6 / COLDEST_K];
  return Math.min(1, Math.max(0, (warmest - 1e6 / kelvin) / (warmest - coldest)));
}

function kelvinOf(coldShare: number): number {
  const [warmest, coldest] = [1e6 / WARMEST_K, 1e6 / COLDEST_K];
  return Math.round(1e6 / (warmest - coldShare * (warmest - coldest)));
}

function channelOf(color: JsonValue, name: string): number | undefined {
  const level = numberIn(objectOf(color)[name]);
  return level !== undefined && level >= 0 && level <= 255 ? level : undefined;
}

/** The parts that a color was written with, by name: a node can be asked for these alone, and the driver does not. */
export function colorParts(id: ValueId, value: JsonValue): readonly (readonly [name: string, part: ValueId])[] {
  if (id.commandClass !== COLOR_SWITCH || id.propertyKey !== undefined) return [];
  return NAMES.flatMap((name, propertyKey) =>
    name in objectOf(value) ? [[name, { ...id, propertyKey }] as const] : [],
  );
}
