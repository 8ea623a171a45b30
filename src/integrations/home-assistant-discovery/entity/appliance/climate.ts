import type { Feature } from '#core/feature/feature.ts';
import { ownFeature, wordFeature } from '#core/feature/new-feature.ts';
import type { VocabularyWord } from '#core/feature/vocabulary.ts';
import { syntaxFault } from '#integrations/home-assistant-discovery/template/fault.ts';
import { roundFloat } from '#integrations/home-assistant-discovery/template/number.ts';
import { numberIn, textIn, textsIn, type Config } from '#integrations/home-assistant-discovery/message/config.ts';
import {
  categoryOf,
  neighbourOf,
  type EntityMaker,
  type Place,
} from '#integrations/home-assistant-discovery/entity/building.ts';
import {
  entityOf,
  numberFrom,
  UNKNOWN,
  type EntityDeps,
  type Part,
} from '#integrations/home-assistant-discovery/entity/entity.ts';
import {
  choice,
  fieldParts,
  floatSent,
  wholeSent,
  yesNo,
  type Field,
} from '#integrations/home-assistant-discovery/entity/field.ts';

/** These lists are those of Home Assistant 2025.4. */
const MODES = ['auto', 'off', 'cool', 'heat', 'dry', 'fan_only'];
const ACTIONS = ['cooling', 'defrosting', 'drying', 'fan', 'heating', 'idle', 'off', 'preheating'];
const HEATER_MODES = ['eco', 'electric', 'gas', 'heat_pump', 'high_demand', 'performance', 'off'];
const NO_PRESET = 'none';

type Appliance = { readonly config: Config; readonly place: Place; readonly deps: EntityDeps };
type Topics = readonly [topic: string, template: string];

/** A thermostat, an air conditioner or a radiator valve: a feature for each of its settings. */
export const climate: EntityMaker = (given, place, deps) => {
  const config = withSharedTemplate(given, CLIMATE_TEMPLATES);
  const self = { config, place, deps };
  const presets = textsIn(config, 'preset_modes') ?? [];
  const scale = scaleIn(config, { min: 7, max: 35 });
  const low = [...topicsOf(config, 'temperature_low')].length > 0;
  const parts = [
    ...power(self),
    ...modeParts(self, 'thermostat_mode', textsIn(config, 'modes') ?? MODES),
    ...target(self, scale, { word: 'target_temperature', name: 'temperature' }),
    ...target(self, scale, {
      // Without a single target the lower one is what is heated to.
      word: topicsOf(config, 'temperature').length > 0 ? null : 'target_temperature',
      name: 'temperature_low',
    }),
    ...target(self, scale, { word: low ? 'target_temperature_cool' : null, name: 'temperature_high' }),
    ...measured(self, scale),
    ...word(self, 'humidity', { state: ['current_humidity_topic', 'current_humidity_template'], read: numberFrom }),
    ...targetHumidity(self),
    ...word(self, 'fan_mode', listed('fan_mode', textsIn(config, 'fan_modes') ?? ['auto', 'low', 'medium', 'high'])),
    ...word(self, 'swing', listed('swing_mode', textsIn(config, 'swing_modes') ?? ['on', 'off'])),
    ...own(
      self,
      'swing_horizontal',
      listed('swing_horizontal_mode', textsIn(config, 'swing_horizontal_modes') ?? ['on', 'off']),
    ),
    ...(textIn(config, 'preset_mode_command_topic') === undefined ? [] : word(self, 'preset', presetField(presets))),
    ...word(self, 'thermostat_state', {
      state: ['action_topic', 'action_template'],
      details: { options: ACTIONS },
      ...choice(ACTIONS),
    }),
  ];
  if (parts.length === 0) throw syntaxFault('it has no topic');
  return entityOf(parts);
};

export const waterHeater: EntityMaker = (given, place, deps) => {
  const config = withSharedTemplate(given, CLIMATE_TEMPLATES);
  const self = { config, place, deps };
  const scale = scaleIn(config, { min: (110 - 32) / 1.8, max: 60 });
  const parts = [
    ...power(self),
    ...modeParts(self, 'operation_mode', textsIn(config, 'modes') ?? HEATER_MODES),
    ...target(self, scale, { word: 'target_temperature', name: 'temperature' }),
    ...measured(self, scale),
  ];
  if (parts.length === 0) throw syntaxFault('it has no topic');
  return entityOf(parts);
};

export const humidifier: EntityMaker = (config, place, deps) => {
  const self = { config, place, deps };
  if (textIn(config, 'target_humidity_command_topic') === undefined)
    throw syntaxFault('the target_humidity_command_topic is missing');
  const reset = textIn(config, 'payload_reset_humidity') ?? UNKNOWN;
  const modes = textsIn(config, 'modes') ?? [];
  const percent = (text: string): number | null | undefined => {
    if (text === reset) return null;
    const number = numberFrom(text);
    return number === undefined || number < 0 || number > 100 ? undefined : roundFloat(number, 0);
  };
  return entityOf([
    ...word(self, 'on', {
      state: ['state_topic', 'state_value_template'],
      command: ['command_topic', 'command_template'],
      ...yesNo([textIn(config, 'payload_on') ?? 'ON', textIn(config, 'payload_off') ?? 'OFF']),
    }),
    ...targetHumidity(self, true),
    ...word(self, 'humidity', { state: ['current_humidity_topic', 'current_humidity_template'], read: percent }),
    ...(modes.length === 0 ? [] : word(self, 'preset', listed('mode', modes, textIn(config, 'payload_reset_mode')))),
    ...own(self, 'action', {
      state: ['action_topic', 'action_template'],
      details: { options: ['humidifying', 'drying', 'idle', 'off'] },
      ...choice(['humidifying', 'drying', 'idle', 'off']),
    }),
  ]);
};

const CLIMATE_TEMPLATES = [
  'action_template',
  'current_humidity_template',
  'current_temperature_template',
  'fan_mode_state_template',
  'mode_state_template',
  'preset_mode_value_template',
  'swing_horizontal_mode_state_template',
  'swing_mode_state_template',
  'target_humidity_state_template',
  'temperature_high_state_template',
  'temperature_low_state_template',
  'temperature_state_template',
];

/** One `value_template` stands for all that have none of their own. */
function withSharedTemplate(config: Config, names: readonly string[]): Config {
  const shared = config.get('value_template');
  if (shared === undefined) return config;
  return new Map([...names.map((name) => [name, shared] as const), ...config]);
}

type Setting = Omit<Field, 'make'> & {
  readonly details?: Partial<Pick<Feature, 'min' | 'max' | 'step' | 'unit' | 'options'>>;
};

function word({ config, place, deps }: Appliance, name: VocabularyWord, setting: Setting): Part[] {
  const { details } = setting;
  const make: Field['make'] = (access) =>
    neighbourOf(place, wordFeature(name, place.component, { ...details, ...access }));
  return fieldParts(config, deps, { ...setting, make });
}

function own({ config, place, deps }: Appliance, name: string, setting: Setting): Part[] {
  const { details = {} } = setting;
  const valueType = details.options === undefined ? 'number' : 'enum';
  const make: Field['make'] = (access) =>
    neighbourOf(place, ownFeature(name, place.component, { valueType, category: 'primary', ...details, ...access }));
  return fieldParts(config, deps, { ...setting, make });
}

function listed(name: string, options: readonly string[], reset?: string): Setting {
  return {
    state: [`${name}_state_topic`, `${name}_state_template`],
    command: [`${name}_command_topic`, `${name}_command_template`],
    details: { options },
    ...choice(options, reset),
  };
}

function presetField(presets: readonly string[]): Setting {
  const options = [NO_PRESET, ...presets];
  return {
    ...listed('preset_mode', options),
    state: ['preset_mode_state_topic', 'preset_mode_value_template'],
    read: (text) => (text === UNKNOWN ? NO_PRESET : options.includes(text) ? text : undefined),
  };
}

/** Makes a switch without a state, which is in the mode. */
function power(self: Appliance): Part[] {
  const { config } = self;
  return word(self, 'on', {
    command: ['power_command_topic', 'power_command_template'],
    ...yesNo([textIn(config, 'payload_on') ?? 'ON', textIn(config, 'payload_off') ?? 'OFF']),
  });
}

function modeParts(self: Appliance, name: VocabularyWord, modes: readonly string[]): Part[] {
  const { config, place } = self;
  const own = place.shown.name;
  return word(self, name, listed('mode', modes)).map((part) => ({
    ...part,
    feature: { ...part.feature, category: categoryOf(config), ...(own === undefined ? {} : { name: own }) },
  }));
}

type Scale = {
  readonly min: number;
  readonly max: number;
  readonly step: number;
  readonly fromDevice: (value: number) => number;
  readonly toDevice: (celsius: number) => number;
};

/** In degrees Celsius, as the hub has them; the message may be in Fahrenheit. */
function scaleIn(config: Config, { min, max }: { readonly min: number; readonly max: number }): Scale {
  const isFahrenheit = /^°?F$/i.test(textIn(config, 'temperature_unit') ?? 'C');
  const fromDevice = (value: number): number => (isFahrenheit ? Number(((value - 32) / 1.8).toPrecision(6)) : value);
  const [least, most] = [numberIn(config, 'min_temp'), numberIn(config, 'max_temp')];
  const step = numberIn(config, 'temp_step') ?? 1;
  const scale = {
    min: least === undefined ? Number(min.toFixed(1)) : fromDevice(least),
    max: most === undefined ? max : fromDevice(most),
    step: isFahrenheit ? Number((step / 1.8).toPrecision(6)) : step,
    fromDevice,
    // Without the digits that the conversion invents.
    toDevice: (celsius: number): number => (isFahrenheit ? Number((celsius * 1.8 + 32).toPrecision(5)) : celsius),
  };
  if (!(scale.min < scale.max) || !(scale.step > 0)) throw syntaxFault('its temperatures are no range');
  return scale;
}

function topicsOf(config: Config, name: string): readonly string[] {
  return [`${name}_state_topic`, `${name}_command_topic`].flatMap((topic) => textIn(config, topic) ?? []);
}

function target(
  self: Appliance,
  { min, max, step, fromDevice, toDevice }: Scale,
  { word: wanted, name }: { readonly word: VocabularyWord | null; readonly name: string },
): Part[] {
  const setting: Setting = {
    state: [`${name}_state_topic`, `${name}_state_template`],
    command: [`${name}_command_topic`, `${name}_command_template`],
    details: { min, max, step, unit: 'celsius' },
    read: (text) => {
      const number = numberFrom(text);
      return number === undefined ? undefined : fromDevice(number);
    },
    write: (value) => (typeof value === 'number' ? floatSent(toDevice(value)) : undefined),
  };
  return wanted === null ? own(self, `target_${name}`, setting) : word(self, wanted, setting);
}

function measured(self: Appliance, { fromDevice }: Scale): Part[] {
  const state: Topics = ['current_temperature_topic', 'current_temperature_template'];
  return word(self, 'temperature', {
    state,
    read: (text) => {
      const number = numberFrom(text);
      return number === undefined ? undefined : fromDevice(number);
    },
  });
}

function targetHumidity(self: Appliance, isHumidifier = false): Part[] {
  const { config } = self;
  const reset = textIn(config, 'payload_reset_humidity') ?? UNKNOWN;
  const min = numberIn(config, 'min_humidity') ?? (isHumidifier ? 0 : 30);
  const max = numberIn(config, 'max_humidity') ?? (isHumidifier ? 100 : 99);
  if (!(min < max) || max > 100) throw syntaxFault('its humidities are no range');
  return word(self, 'target_humidity', {
    state: ['target_humidity_state_topic', 'target_humidity_state_template'],
    command: ['target_humidity_command_topic', 'target_humidity_command_template'],
    details: { min, max },
    read: (text) => {
      if (text === reset) return null;
      const number = numberFrom(text);
      if (number === undefined || !isHumidifier) return number;
      const whole = roundFloat(number, 0);
      return whole < min || whole > max ? undefined : whole;
    },
    write: (value) => (typeof value === 'number' ? wholeSent(Math.round(value)) : undefined),
  });
}
