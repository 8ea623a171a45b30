import type { Feature } from '#core/feature/feature.ts';
import { findSettable, findState, type Part } from '#integrations/offering/part.ts';
import {
  type Component,
  nameOf,
  numberFrom,
  optionOf,
  type ReadCommand,
  setting,
  slugOf,
  valueTemplate,
  wordTemplate,
} from './component.ts';

const MODES: ReadonlySet<string> = new Set(['off', 'auto', 'cool', 'heat', 'dry', 'fan_only', 'heat_cool']);
const ACTIONS: Readonly<Record<string, string>> = {
  off: 'off',
  idle: 'idle',
  heat: 'heating',
  heating: 'heating',
  cool: 'cooling',
  cooling: 'cooling',
  fan_only: 'fan',
  fan: 'fan',
  dry: 'drying',
};
const USUAL = { min: 5, max: 35, step: 0.5 };

/** A thermostat. The other features of the device stay entities of their own. */
export function climateFrom(
  part: Part,
): { readonly component: Component; readonly used: readonly Feature[] } | undefined {
  const target = findSettable(part, 'target_temperature');
  if (target === undefined) return undefined;
  const commands = new Map<string, ReadCommand>([['temperature_command_topic', setting(target, numberFrom)]]);
  const present = findState(part, 'temperature');
  const action = findState(part, 'thermostat_state');
  const mode = findSettable(part, 'thermostat_mode');
  const modes = (mode?.options ?? []).filter((option) => MODES.has(option));
  const hasModes = mode !== undefined && modes.length > 0;
  if (hasModes) commands.set('mode_command_topic', setting(mode, optionOf(mode)));
  const lists = LISTS.flatMap(({ capability, prefix }) => {
    const feature = findSettable(part, capability);
    // Home Assistant keeps the word for itself.
    const options = feature?.options?.filter((option) => option !== 'none') ?? [];
    return feature === undefined || options.length === 0 ? [] : [{ feature, prefix, options }];
  });
  for (const { feature, prefix } of lists) commands.set(`${prefix}_command_topic`, setting(feature, optionOf(feature)));
  const component: Component = {
    platform: 'climate',
    slug: slugOf(target.key),
    config: {
      name: nameOf(target),
      temperature_unit: 'C',
      min_temp: target.min ?? USUAL.min,
      max_temp: target.max ?? USUAL.max,
      temp_step: target.step ?? USUAL.step,
      temperature_state_template: valueTemplate(target),
      modes: hasModes ? modes : ['heat'],
      mode_state_template: hasModes
        ? wordTemplate(
            mode,
            modes.map((word) => [word, word]),
          )
        : 'heat',
      ...(present === undefined ? {} : { current_temperature_template: valueTemplate(present) }),
      ...(action === undefined ? {} : { action_template: wordTemplate(action, Object.entries(ACTIONS)) }),
      ...Object.fromEntries(
        lists.flatMap(({ feature, prefix, options }) => [
          [`${prefix}s`, options],
          [prefix === 'preset_mode' ? `${prefix}_value_template` : `${prefix}_state_template`, valueTemplate(feature)],
        ]),
      ),
    },
    stateTopics: [
      'temperature_state_topic',
      'mode_state_topic',
      ...(present === undefined ? [] : ['current_temperature_topic']),
      ...(action === undefined ? [] : ['action_topic']),
      ...lists.map(({ prefix }) => `${prefix}_state_topic`),
    ],
    commands,
  };
  const used = [target, ...(hasModes ? [mode] : []), ...lists.map(({ feature }) => feature)];
  return { component, used: action === undefined ? used : [...used, action] };
}

const LISTS = [
  { capability: 'fan_mode', prefix: 'fan_mode' },
  { capability: 'swing', prefix: 'swing_mode' },
  { capability: 'preset', prefix: 'preset_mode' },
];
