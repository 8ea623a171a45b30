import type { Occurrence } from '#core/feature/feature.ts';

type Word = Pick<Occurrence, 'action' | 'count'>;

/**
 * Vendors' words for button actions (zigbee-herdsman-converters 26.105), without the button. The longest phrase found in an
 * action decides.
 */
const PHRASES: Readonly<Record<string, Word>> = {
  single: { action: 'single', count: 1 },
  single_click: { action: 'single', count: 1 },
  single_press: { action: 'single', count: 1 },
  short_press: { action: 'single', count: 1 },
  click: { action: 'single', count: 1 },
  double: { action: 'double', count: 2 },
  double_click: { action: 'double', count: 2 },
  double_press: { action: 'double', count: 2 },
  double_pressed: { action: 'double', count: 2 },
  double_tap: { action: 'double', count: 2 },
  triple: { action: 'triple', count: 3 },
  triple_click: { action: 'triple', count: 3 },
  triple_press: { action: 'triple', count: 3 },
  quadruple: { action: 'many', count: 4 },
  quintuple: { action: 'many', count: 5 },
  many: { action: 'many' },
  hold: { action: 'hold' },
  held: { action: 'hold' },
  long: { action: 'hold' },
  long_press: { action: 'hold' },
  long_click: { action: 'hold' },
  release: { action: 'release' },
  released: { action: 'release' },
  hold_release: { action: 'release' },
  hold_released: { action: 'release' },
  long_release: { action: 'release' },
  press_release: { action: 'release' },
  press: { action: 'press' },
  pressed: { action: 'press' },
  rotate_left: { action: 'rotate_left' },
  rotating_left: { action: 'rotate_left' },
  started_rotating_left: { action: 'rotate_left' },
  rotate_right: { action: 'rotate_right' },
  rotating_right: { action: 'rotate_right' },
  started_rotating_right: { action: 'rotate_right' },
};

const PHRASE = new Map(Object.entries(PHRASES));
const LONGEST_PHRASE = 3;
const BUTTON = /^(?:\d+|[a-z]{1,2}\d+|left|right|center|top|bottom|both|all|wireless)$/;
const BUTTON_AT_START = /^(?:(?:button|input|key|switch|scene)_)?(?:\d+|l\d+|s\d+)_/;

/** `Auto Heat`, `autoHeat` and `auto-heat` become `auto_heat`. */
export function snakeCase(text: string): string {
  return text
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '_')
    .replaceAll(/^_+|_+$/g, '');
}

/** The action in a vendor's word: `button_1_double_click` → double, `brightness_move_up_l2` → brightness_move_up. */
export function actionFromRaw(raw: string): Word {
  const text = snakeCase(raw);
  const clicks = /(?:^|_)(\d+)_clicks?(?:_|$)/.exec(text);
  if (clicks !== null) return { action: 'many', count: Number(clicks[1]) };
  const tokens = text.split('_');
  for (let length = Math.min(LONGEST_PHRASE, tokens.length); length > 0; length -= 1) {
    for (let start = 0; start + length <= tokens.length; start += 1) {
      const word = PHRASE.get(tokens.slice(start, start + length).join('_'));
      if (word !== undefined) return word;
    }
  }
  // Word by word, because one expression for the whole end would take quadratic time on a long message.
  const words = text.replace(BUTTON_AT_START, '').split('_');
  while (words.length > 1 && BUTTON.test(words.at(-1) ?? '')) words.pop();
  return { action: words.join('_') };
}
