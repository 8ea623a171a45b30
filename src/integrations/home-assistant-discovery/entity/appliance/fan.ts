import { ownFeature, wordFeature } from '#core/feature/new-feature.ts';
import { syntaxFault } from '#integrations/home-assistant-discovery/template/fault.ts';
import { numberIn, textIn, textsIn } from '#integrations/home-assistant-discovery/message/config.ts';
import {
  controlDetails,
  neighbourOf,
  type EntityMaker,
} from '#integrations/home-assistant-discovery/entity/building.ts';
import { entityOf, UNKNOWN, wholeIn } from '#integrations/home-assistant-discovery/entity/entity.ts';
import { choice, fieldParts, wholeSent, yesNo } from '#integrations/home-assistant-discovery/entity/field.ts';
import { percentIn, rangeOf, valueAt } from '#integrations/home-assistant-discovery/entity/percent-range.ts';

const DIRECTIONS = ['forward', 'reverse'];

export const fan: EntityMaker = (config, place, deps) => {
  const { component } = place;
  if (textIn(config, 'command_topic') === undefined) throw syntaxFault('the command_topic is missing');
  const [least, most] = [numberIn(config, 'speed_range_min') ?? 1, numberIn(config, 'speed_range_max') ?? 100];
  if (least < 1 || least >= most) throw syntaxFault('its speeds are no range');
  // The speed below the least one is off.
  const speeds = rangeOf(least - 1, most);
  const presets = textsIn(config, 'preset_modes') ?? [];
  const word = (text: string, name: string): string => textIn(config, name) ?? text;
  return entityOf([
    ...fieldParts(config, deps, {
      make: (access) => wordFeature('on', component, { ...controlDetails(config, place), ...access }),
      state: ['state_topic', 'state_value_template'],
      command: ['command_topic', 'command_template'],
      ...yesNo([word('ON', 'payload_on'), word('OFF', 'payload_off')]),
    }),
    ...fieldParts(config, deps, {
      make: (access) => neighbourOf(place, wordFeature('fan_speed', component, { ...access, min: 0, max: 100 })),
      state: ['percentage_state_topic', 'percentage_value_template'],
      command: ['percentage_command_topic', 'percentage_command_template'],
      read: (text) => {
        if (text === word(UNKNOWN, 'payload_reset_percentage')) return null;
        const speed = wholeIn(text);
        const percent = speed === undefined ? undefined : percentIn(speeds, speed);
        return percent === undefined || percent < 0 || percent > 100 ? undefined : percent;
      },
      write: (value) =>
        typeof value === 'number' ? wholeSent(Math.ceil(valueAt(speeds, Math.round(value)))) : undefined,
    }),
    ...(presets.length === 0
      ? []
      : fieldParts(config, deps, {
          make: (access) => neighbourOf(place, wordFeature('preset', component, { ...access, options: presets })),
          state: ['preset_mode_state_topic', 'preset_mode_value_template'],
          command: ['preset_mode_command_topic', 'preset_mode_command_template'],
          ...choice(presets, textIn(config, 'payload_reset_preset_mode')),
        })),
    ...fieldParts(config, deps, {
      make: (access) =>
        neighbourOf(
          place,
          ownFeature('oscillating', component, { ...access, valueType: 'boolean', category: 'primary' }),
        ),
      state: ['oscillation_state_topic', 'oscillation_value_template'],
      command: ['oscillation_command_topic', 'oscillation_command_template'],
      ...yesNo([word('oscillate_on', 'payload_oscillation_on'), word('oscillate_off', 'payload_oscillation_off')]),
    }),
    ...fieldParts(config, deps, {
      make: (access) =>
        neighbourOf(
          place,
          ownFeature('direction', component, {
            ...access,
            valueType: 'enum',
            category: 'primary',
            options: DIRECTIONS,
          }),
        ),
      state: ['direction_state_topic', 'direction_value_template'],
      command: ['direction_command_topic', 'direction_command_template'],
      ...choice(DIRECTIONS),
      read: (text) => text.slice(0, 100),
    }),
  ]);
};
