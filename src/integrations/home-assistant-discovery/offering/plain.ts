import type { JsonObject, JsonValue } from '#base/json.ts';
import type { Device } from '#core/device/device.ts';
import type { Feature } from '#core/feature/feature.ts';
import { isSettable } from '#core/feature/feature-value.ts';
import { type Component, nameOf, numberFrom, optionOf, setting, slugOf, SWITCHED, valueTemplate } from './component.ts';
import { switchTemplate } from './movers.ts';
import { BINARY_CLASSES, MEASURES, unitOf } from './sensor-classes.ts';

/**
 * Makes a component of one feature that no larger component has; `undefined` for a value that no component can show.
 */
export function plainFrom(feature: Feature, device: Pick<Device, 'type'>): Component | undefined {
  if (feature.kind === 'event') return eventFrom(feature);
  if (feature.kind === 'action')
    return feature.valueType === 'none' && feature.writable ? buttonFrom(feature) : undefined;
  const writable = isSettable(feature);
  switch (feature.valueType) {
    case 'boolean':
      return writable ? switchFrom(feature, device) : binarySensorFrom(feature);
    case 'number':
      return writable ? numberComponent(feature) : sensorFrom(feature);
    case 'enum':
      if (feature.options === null || feature.options.length === 0) return sensorFrom(feature);
      return writable ? selectFrom(feature) : sensorFrom(feature);
    case 'string':
      return writable ? textFrom(feature) : sensorFrom(feature);
    case 'timestamp':
      return sensorFrom(feature);
    default:
      return undefined;
  }
}

type Given = Pick<Component, 'platform' | 'config'> & Partial<Pick<Component, 'commands'>>;

function componentFrom(feature: Feature, { platform, config, commands = new Map() }: Given): Component {
  return {
    platform,
    slug: slugOf(feature.key),
    config: { name: feature.name, ...categoryOf(feature, platform), ...config },
    stateTopics: ['state_topic'],
    commands,
  };
}

/** Home Assistant knows no settings that cannot be set. */
function categoryOf({ category }: Feature, platform: string): JsonObject {
  if (category === 'primary') return {};
  const isReadOnly = ['sensor', 'binary_sensor', 'event'].includes(platform);
  return { entity_category: isReadOnly ? 'diagnostic' : 'config' };
}

function switchFrom(feature: Feature, { type }: Pick<Device, 'type'>): Component {
  const isMain = feature.capability === 'on';
  return componentFrom(feature, {
    platform: 'switch',
    config: {
      ...(isMain ? { name: nameOf(feature) } : {}),
      ...(isMain && type === 'on_off_plug_in_unit' ? { device_class: 'outlet' } : {}),
      value_template: switchTemplate(feature),
    },
    commands: new Map([['command_topic', setting(feature, SWITCHED)]]),
  });
}

function binarySensorFrom(feature: Feature): Component {
  const deviceClass = BINARY_CLASSES[feature.capability];
  const config = {
    ...(deviceClass === undefined ? {} : { device_class: deviceClass }),
    value_template: switchTemplate(feature),
  };
  return componentFrom(feature, { platform: 'binary_sensor', config });
}

function sensorFrom(feature: Feature): Component {
  const { valueType, capability, unit, options } = feature;
  const template = { value_template: valueTemplate(feature) };
  if (valueType === 'timestamp') {
    return componentFrom(feature, { platform: 'sensor', config: { device_class: 'timestamp', ...template } });
  }
  if (valueType === 'enum' && options !== null && options.length > 0) {
    const config = { device_class: 'enum', options: [...options], ...template };
    return componentFrom(feature, { platform: 'sensor', config });
  }
  if (valueType !== 'number') return componentFrom(feature, { platform: 'sensor', config: template });
  const measure = MEASURES[capability];
  const fits = measure !== undefined && measure.unit === unit;
  return componentFrom(feature, {
    platform: 'sensor',
    config: {
      ...(fits && measure.deviceClass !== null ? { device_class: measure.deviceClass } : {}),
      ...(unit === null ? {} : { unit_of_measurement: unitOf(unit) }),
      state_class: fits && measure.isCounter === true ? 'total_increasing' : 'measurement',
      ...template,
    },
  });
}

/** Wide enough for a feature that names no range: the hub checks the value. */
const WIDE = 1_000_000;
const LEAST_STEP = 0.001;

function numberComponent(feature: Feature): Component {
  const { unit, min, max, step } = feature;
  const isShare = unit === 'percent';
  return componentFrom(feature, {
    platform: 'number',
    config: {
      min: min ?? (isShare ? 0 : -WIDE),
      max: max ?? (isShare ? 100 : WIDE),
      step: Math.max(LEAST_STEP, step ?? (isShare ? 1 : 0.01)),
      mode: 'box',
      ...(unit === null ? {} : { unit_of_measurement: unitOf(unit) }),
      value_template: valueTemplate(feature),
    },
    commands: new Map([['command_topic', setting(feature, numberFrom)]]),
  });
}

function selectFrom(feature: Feature): Component {
  return componentFrom(feature, {
    platform: 'select',
    config: { options: [...(feature.options ?? [])], value_template: valueTemplate(feature) },
    commands: new Map([['command_topic', setting(feature, optionOf(feature))]]),
  });
}

/** The longest state of Home Assistant. */
const MAX_TEXT = 255;

function textFrom(feature: Feature): Component {
  return componentFrom(feature, {
    platform: 'text',
    config: { max: MAX_TEXT, value_template: valueTemplate(feature) },
    commands: new Map([
      ['command_topic', setting(feature, (payload) => (payload.length <= MAX_TEXT ? payload : undefined))],
    ]),
  });
}

function buttonFrom(feature: Feature): Component {
  const isIdentify = feature.capability === 'identify';
  const press = componentFrom(feature, {
    platform: 'button',
    config: isIdentify ? { device_class: 'identify', entity_category: 'config' } : {},
    commands: new Map([['command_topic', (payload) => (payload === 'PRESS' ? { do: feature.key } : undefined)]]),
  });
  return { ...press, stateTopics: [] };
}

function eventFrom(feature: Feature): Component | undefined {
  const types = feature.options ?? [];
  if (types.length === 0) return undefined;
  const config = { event_types: [...types], ...(feature.capability === 'button' ? { device_class: 'button' } : {}) };
  return { ...componentFrom(feature, { platform: 'event', config }), stateTopics: [], eventKey: feature.key };
}

/** The value as the state of a device says it. What Home Assistant could not hold is unknown there, and never cut. */
export function statedValue({ valueType, options }: Feature, value: JsonValue): JsonValue {
  switch (valueType) {
    case 'boolean':
    case 'number':
      return value;
    case 'enum':
      if (typeof value !== 'string' || value.length > MAX_TEXT) return null;
      return options === null || options.length === 0 || options.includes(value) ? value : null;
    case 'string':
      return typeof value === 'string' && value.length <= MAX_TEXT ? value : null;
    case 'timestamp':
      return typeof value === 'string' && MOMENT.test(value) ? value : null;
    default:
      return null;
  }
}

const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/;
