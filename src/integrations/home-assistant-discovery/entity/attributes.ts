import type { JsonObject, JsonValue } from '#base/json.ts';
import type { Feature } from '#core/feature/feature.ts';
import { ownFeature } from '#core/feature/new-feature.ts';
import { textIn } from '#integrations/home-assistant-discovery/message/config.ts';
import type { AnnouncedEntity } from '#integrations/home-assistant-discovery/message/discovery-message.ts';
import { TemplateFault } from '#integrations/home-assistant-discovery/template/fault.ts';
import { valueFromJson } from '#integrations/home-assistant-discovery/template/json.ts';
import { isCompound, isKind, type PyDict, type Value } from '#integrations/home-assistant-discovery/template/value.ts';
import { listening } from './building.ts';
import type { Entity, EntityDeps, Part, Report } from './entity.ts';
import { readingOf } from './incoming.ts';

/** The attributes of a tracker tell where somebody is. The others have none in Home Assistant. */
const WITHOUT = new Set(['device_tracker', 'device_automation', 'tag']);

/** Home Assistant refuses these, because they are its own. */
const REFUSED = new Set(
  'assumed_state available device_class device_info entity_category entity_picture entity_registry_enabled_default extra_state_attributes force_update icon friendly_name should_poll state supported_features unique_id unit_of_measurement'.split(
    ' ',
  ),
);
const REFUSED_OF: Readonly<Record<string, string>> = {
  alarm_control_panel: 'changed_by code_arm_required code_format',
  climate:
    'current_humidity current_temperature fan_mode fan_modes humidity hvac_action hvac_modes max_humidity max_temp min_humidity min_temp preset_mode preset_modes swing_horizontal_mode swing_horizontal_modes swing_mode swing_modes target_temp_high target_temp_low target_temp_step temperature',
  cover: 'current_position current_tilt_position',
  event: 'event_type event_types',
  fan: 'direction oscillating percentage percentage_step preset_mode preset_modes',
  humidifier: 'available_modes humidity max_humidity min_humidity mode',
  light:
    'brightness color_mode color_temp color_temp_kelvin effect effect_list hs_color max_color_temp_kelvin max_mireds min_color_temp_kelvin min_mireds rgb_color rgbw_color rgbww_color supported_color_modes xy_color',
  lock: 'changed_by code_format',
  number: 'max min step',
  select: 'options',
  sensor: 'last_reset state_class',
  siren: 'available_tones duration tone volume_level',
  text: 'max min mode pattern',
  vacuum: 'battery_icon battery_level fan_speed',
  valve: 'current_position',
  water_heater: 'current_temperature max_temp min_temp operation_list operation_mode temperature',
};

/** As large as Home Assistant keeps them. */
const MAX_TEXT = 16_384;

/**
 * One value for all that a publisher tells besides the state of an entity: its names are only known once it comes, and
 * they may be others each time. `undefined` where a message names no topic for it. The message of the state itself,
 * whole and without a template, is none: its entities have what is in it.
 */
export function attributesPart(
  { component, config }: AnnouncedEntity,
  { parts: [first], isStrange }: Entity,
  { deps, isTaken }: { readonly deps: EntityDeps; readonly isTaken: (key: string) => boolean },
): Part | undefined {
  const topic = textIn(config, 'json_attributes_topic');
  if (first === undefined || isStrange === true || WITHOUT.has(component)) return undefined;
  if (topic === undefined || topic === '') return undefined;
  const source = textIn(config, 'json_attributes_template');
  if (source === undefined && topic === textIn(config, 'state_topic')) return undefined;
  const feature = featureBeside(first.feature, isTaken);
  const refused = new Set([...REFUSED, ...(REFUSED_OF[component] ?? '').split(' ')]);
  try {
    const read = readingOf(config, 'json_attributes_template', deps);
    return {
      feature,
      listens: listening(config, 'json_attributes_topic', (message) => attributesFrom(read(message), refused)),
    };
  } catch (cause) {
    if (!(cause instanceof TemplateFault)) throw cause;
    const description = `Not understood: ${cause.message}`.slice(0, 300);
    return { feature: { ...feature, description }, listens: new Map() };
  }
}

function featureBeside(
  { capability, component, name, source = '' }: Feature,
  isTaken: (key: string) => boolean,
): Feature {
  const own = `${capability.replace(/^x\./, '')}_attributes`;
  const make = (suffix: string): Feature =>
    ownFeature(`${own}${suffix}`, component, {
      valueType: 'object',
      source,
      name: `${name}: attributes`.slice(0, 200),
    });
  for (let count = 1; ; count += 1) {
    const feature = make(count === 1 ? '' : `_${count}`);
    if (!isTaken(feature.key)) return feature;
  }
}

function attributesFrom(text: string | undefined, refused: ReadonlySet<string>): Report {
  const json = text === undefined || text.length > MAX_TEXT ? undefined : valueFromJson(text);
  if (json === undefined || !isKind(json, 'dict')) return undefined;
  return { value: objectFrom(json, refused) };
}

function objectFrom({ entries }: PyDict, refused: ReadonlySet<string>): JsonObject {
  return Object.fromEntries(
    [...entries.values()].flatMap(({ key, value }): readonly (readonly [string, JsonValue])[] =>
      typeof key !== 'string' || refused.has(key) ? [] : [[key, plain(value)]],
    ),
  );
}

const NONE: ReadonlySet<string> = new Set();

/** Makes JSON of what can be JSON; whole numbers beyond 53 bits lose their last digits. */
function plain(value: Value): JsonValue {
  if (!isCompound(value)) return typeof value === 'bigint' ? Number(value) : value;
  if (value.kind === 'list') return value.items.map(plain);
  return value.kind === 'dict' ? objectFrom(value, NONE) : null;
}
