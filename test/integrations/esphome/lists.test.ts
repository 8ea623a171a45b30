import { expect, test } from 'vitest';
import type { JsonValue } from '#base/json.ts';
import { ENTITY_KINDS, USELESS_LISTED } from '#integrations/esphome/entities/kinds.ts';
import { readListed } from '#integrations/esphome/entities/node-devices.ts';
import { EXECUTE_SERVICE, LIST_SERVICE, readService } from '#integrations/esphome/entities/services.ts';
import { bytesOf, type Draft, readMessage } from '#integrations/esphome/wire/protobuf.ts';
import { fields, ofEntity } from '#test/support/esphome/esphome-node.ts';
import { ofListed, withFloats } from '#test/support/esphome/listing.ts';
import { type LeftOut, numbersIn, readPeerLists, wrongMeanings } from '#test/support/kinds/peer-list.ts';

const PEER = readPeerLists('esphome');
const FUTURE = 200;
const PLACE = { component: 'main', slug: 'it', category: 'primary' } as const;

type Fields = Parameters<typeof fields>[0];

function messageOf(draft: Draft) {
  const message = readMessage(bytesOf(draft));
  if (message === undefined) throw new Error('it is no message');
  return message;
}

function sourcesOf(word: string, listed: Fields) {
  const kind = ENTITY_KINDS.find((one) => one.word === word);
  if (kind === undefined) throw new Error(`there is no ${word}`);
  return kind.make(messageOf(ofListed(1, listed)), PLACE);
}

type Case = {
  readonly list: string;
  readonly word: string;
  /** What lists an entity that has this number. */
  readonly listed?: (number: number) => Fields;
  /** The field of its state. */
  readonly field: number;
  readonly key: string;
  /** What each name begins with. */
  readonly prefix: string;
  readonly known: Readonly<Record<string, JsonValue>>;
  readonly leftOut?: LeftOut;
};

/** Names that the hub has as they are, in lower case. */
const same = (names: string): Readonly<Record<string, string>> =>
  Object.fromEntries(names.split(' ').map((name) => [name.toUpperCase(), name]));

const CASES: readonly Case[] = [
  {
    list: 'ClimateMode',
    word: 'climate',
    listed: (mode) => ({ 7: mode }),
    field: 2,
    key: 'thermostat_mode',
    prefix: 'CLIMATE_MODE_',
    known: same('off heat_cool cool heat fan_only dry auto'),
  },
  {
    list: 'ClimateFanMode',
    word: 'climate',
    listed: (mode) => ({ 13: mode }),
    field: 9,
    key: 'fan_mode',
    prefix: 'CLIMATE_FAN_',
    known: same('on off auto low medium high middle focus diffuse quiet'),
  },
  {
    list: 'ClimateSwingMode',
    word: 'climate',
    listed: (mode) => ({ 14: mode }),
    field: 10,
    key: 'swing',
    prefix: 'CLIMATE_SWING_',
    known: same('off both vertical horizontal'),
  },
  {
    list: 'ClimatePreset',
    word: 'climate',
    listed: (preset) => ({ 16: preset }),
    field: 12,
    key: 'preset',
    prefix: 'CLIMATE_PRESET_',
    known: same('none home away boost comfort eco sleep activity'),
  },
  {
    list: 'ClimateAction',
    word: 'climate',
    listed: () => ({ 12: true }),
    field: 8,
    key: 'thermostat_state',
    prefix: 'CLIMATE_ACTION_',
    known: {
      OFF: 'off',
      COOLING: 'cool',
      HEATING: 'heat',
      IDLE: 'idle',
      DRYING: 'dry',
      FAN: 'fan',
      DEFROSTING: 'defrost',
    },
  },
  {
    list: 'WaterHeaterMode',
    word: 'water_heater',
    listed: (mode) => ({ 11: mode }),
    field: 4,
    key: 'operation_mode',
    prefix: 'WATER_HEATER_MODE_',
    known: same('off eco electric performance high_demand heat_pump gas'),
  },
  {
    list: 'CoverOperation',
    word: 'cover',
    field: 5,
    key: 'x.movement',
    prefix: 'COVER_OPERATION_',
    known: { IDLE: 'stopped', IS_OPENING: 'opening', IS_CLOSING: 'closing' },
  },
  {
    list: 'ValveOperation',
    word: 'valve',
    field: 3,
    key: 'x.valve_movement',
    prefix: 'VALVE_OPERATION_',
    known: { IDLE: 'stopped', IS_OPENING: 'opening', IS_CLOSING: 'closing' },
  },
  {
    list: 'FanDirection',
    word: 'fan',
    listed: () => ({ 7: true }),
    field: 5,
    key: 'x.direction',
    prefix: 'FAN_DIRECTION_',
    known: same('forward reverse'),
  },
  {
    list: 'LockState',
    word: 'lock',
    field: 2,
    key: 'lock_state',
    prefix: 'LOCK_STATE_',
    known: { NONE: null, ...same('locked unlocked jammed locking unlocking opening open') },
  },
  {
    list: 'LockState',
    word: 'lock',
    field: 2,
    key: 'locked',
    prefix: 'LOCK_STATE_',
    known: {
      NONE: null,
      LOCKED: true,
      UNLOCKED: false,
      JAMMED: null,
      LOCKING: null,
      UNLOCKING: null,
      OPENING: null,
      OPEN: false,
    },
  },
  {
    list: 'AlarmControlPanelState',
    word: 'alarm_control_panel',
    field: 2,
    key: 'x.alarm_state',
    prefix: 'ALARM_STATE_',
    known: same(
      'disarmed armed_home armed_away armed_night armed_vacation armed_custom_bypass pending arming disarming triggered',
    ),
  },
  {
    list: 'MediaPlayerState',
    word: 'media_player',
    field: 2,
    key: 'playback',
    prefix: 'MEDIA_PLAYER_STATE_',
    known: { NONE: null, ...same('idle playing paused announcing off on') },
  },
];

test.each(CASES)('each $list is a word of $key, and none of the future is one', (one) => {
  const { list, word, listed = () => ({}), field, key, prefix, known, leftOut = [] } = one;
  const numbers = numbersIn(PEER, list);
  const shown = (number: number): JsonValue | undefined => {
    const source = sourcesOf(word, listed(number)).find(({ feature }) => feature.key === key);
    return source?.read?.(messageOf(ofEntity(1, { [field]: number })));
  };
  const names = Object.keys(numbers).map((name) => name.slice(prefix.length));
  expect(wrongMeanings(names, { known, leftOut }, (name) => shown(numbers[prefix + name] ?? FUTURE))).toEqual([]);
  expect(shown(FUTURE) ?? null).toBeNull();
});

/** What is sent for a wish: the numbers of the fields that a command then has. */
function sent(
  word: string,
  listed: Fields,
  [key, value, field]: readonly [string, JsonValue, number],
): number | undefined {
  const source = sourcesOf(word, listed).find(({ feature }) => feature.key === key);
  const draft: Draft = new Map();
  source?.write?.(value, draft);
  const command = messageOf(draft);
  return command.has(field) ? command.number(field) : undefined;
}

test('commands have the numbers of the API', () => {
  const known = {
    ALARM_CONTROL_PANEL_DISARM: sent('alarm_control_panel', { 8: 63 }, ['arm_mode', 'disarmed', 2]),
    ALARM_CONTROL_PANEL_ARM_AWAY: sent('alarm_control_panel', { 8: 63 }, ['arm_mode', 'armed_away', 2]),
    ALARM_CONTROL_PANEL_ARM_HOME: sent('alarm_control_panel', { 8: 63 }, ['arm_mode', 'armed_home', 2]),
    ALARM_CONTROL_PANEL_ARM_NIGHT: sent('alarm_control_panel', { 8: 63 }, ['arm_mode', 'armed_night', 2]),
    ALARM_CONTROL_PANEL_ARM_VACATION: sent('alarm_control_panel', { 8: 63 }, ['arm_mode', 'armed_vacation', 2]),
    ALARM_CONTROL_PANEL_ARM_CUSTOM_BYPASS: sent('alarm_control_panel', { 8: 63 }, [
      'arm_mode',
      'armed_custom_bypass',
      2,
    ]),
    MEDIA_PLAYER_COMMAND_PLAY: sent('media_player', {}, ['playback', 'playing', 3]),
    MEDIA_PLAYER_COMMAND_PAUSE: sent('media_player', {}, ['playback', 'paused', 3]),
    MEDIA_PLAYER_COMMAND_STOP: sent('media_player', {}, ['playback', 'idle', 3]),
    MEDIA_PLAYER_COMMAND_MUTE: sent('media_player', {}, ['muted', true, 3]),
    MEDIA_PLAYER_COMMAND_UNMUTE: sent('media_player', {}, ['muted', false, 3]),
    LOCK_UNLOCK: sent('lock', {}, ['locked', false, 2]),
    LOCK_LOCK: sent('lock', {}, ['locked', true, 2]),
    LOCK_OPEN: sent('lock', { 9: true }, ['x.open_latch', null, 2]),
    UPDATE_COMMAND_UPDATE: sent('update', {}, ['x.install', null, 2]),
    WATER_HEATER_COMMAND_HAS_MODE: sent('water_heater', { 11: 1 }, ['operation_mode', 'eco', 2]),
    WATER_HEATER_COMMAND_HAS_TARGET_TEMPERATURE: sent('water_heater', {}, ['target_temperature', 50, 2]),
    WATER_HEATER_COMMAND_HAS_TARGET_TEMPERATURE_LOW: sent('water_heater', { 12: 32 }, ['target_temperature', 50, 2]),
    WATER_HEATER_COMMAND_HAS_TARGET_TEMPERATURE_HIGH: sent('water_heater', { 12: 32 }, [
      'target_temperature_cool',
      50,
      2,
    ]),
    WATER_HEATER_COMMAND_HAS_ON_STATE: sent('water_heater', { 12: 16 }, ['on', true, 2]),
    WATER_HEATER_COMMAND_HAS_AWAY_STATE: sent('water_heater', { 12: 8 }, ['x.away', true, 2]),
  };
  const leftOut: LeftOut = [
    { why: 'is an alarm that nobody raises from here', of: ['ALARM_CONTROL_PANEL_TRIGGER'] },
    {
      why: 'is no state that a player is asked to reach',
      of: 'TOGGLE VOLUME_UP VOLUME_DOWN ENQUEUE REPEAT_ONE REPEAT_OFF CLEAR_PLAYLIST TURN_ON TURN_OFF'
        .split(' ')
        .map((name) => `MEDIA_PLAYER_COMMAND_${name}`),
    },
    { why: 'says nothing', of: ['UPDATE_COMMAND_NONE', 'WATER_HEATER_COMMAND_HAS_NONE'] },
    { why: 'is asked by the node itself', of: ['UPDATE_COMMAND_CHECK'] },
    { why: 'is deprecated for two of its own', of: ['WATER_HEATER_COMMAND_HAS_STATE'] },
  ];
  const lists = [
    'AlarmControlPanelStateCommand',
    'MediaPlayerCommand',
    'LockCommand',
    'UpdateCommand',
    'WaterHeaterCommandHasField',
  ];
  const numbers = Object.assign({}, ...lists.map((list) => numbersIn(PEER, list))) as Readonly<Record<string, number>>;
  const wanted = Object.fromEntries(Object.keys(known).map((name) => [name, numbers[name] ?? FUTURE]));
  expect(
    wrongMeanings(Object.keys(numbers), { known: wanted, leftOut }, (name) => known[name as keyof typeof known]),
  ).toEqual([]);
});

test('categories, arguments, units and color modes are those of the API', () => {
  const number = ENTITY_KINDS.find(({ word }) => word === 'number');
  if (number === undefined) throw new Error('there are no numbers');
  const category = (value: number) => readListed(number, messageOf(ofListed(1, { 10: value }))).category;
  const known = {
    ENTITY_CATEGORY_NONE: 'primary',
    ENTITY_CATEGORY_CONFIG: 'config',
    ENTITY_CATEGORY_DIAGNOSTIC: 'diagnostic',
  };
  const categories = numbersIn(PEER, 'EntityCategory');
  expect(
    wrongMeanings<string>(Object.keys(categories), { known, leftOut: [] }, (name) =>
      category(categories[name] ?? FUTURE),
    ),
  ).toEqual([]);
  expect(category(FUTURE)).toBe('primary');

  const types = Object.values(numbersIn(PEER, 'ServiceArgType'));
  const service = (type: number) =>
    readService(messageOf(ofListed(1, { 1: 'act', 3: bytesOf(fields({ 1: 'it', 2: type })) })));
  expect(types.map((type) => service(type)?.feature.valueType)).toEqual(types.map(() => 'object'));
  expect(service(Math.max(...types) + 1)).toBeUndefined();

  const degrees = (unit: number) => {
    const source = sourcesOf('climate', { 5: true, 28: unit }).find(({ feature }) => feature.key === 'temperature');
    return source?.read?.(messageOf(withFloats(ofEntity(1), { 3: 300 })));
  };
  const units = numbersIn(PEER, 'TemperatureUnit');
  const inCelsius = {
    TEMPERATURE_UNIT_CELSIUS: 300,
    TEMPERATURE_UNIT_FAHRENHEIT: 148.889,
    TEMPERATURE_UNIT_KELVIN: 26.85,
  };
  const rounded = (value: JsonValue | undefined) =>
    typeof value === 'number' ? Number(value.toPrecision(12)) : undefined;
  expect(
    wrongMeanings<number>(Object.keys(units), { known: inCelsius, leftOut: [] }, (name) =>
      rounded(degrees(units[name] ?? FUTURE)),
    ),
  ).toEqual([]);
  expect(degrees(FUTURE)).toBeNull();

  const texts = numbersIn(PEER, 'TextMode');
  const isShown = (mode: number): boolean => sourcesOf('text', { 11: mode }).some(({ feature }) => feature.readable);
  const readable = { TEXT_MODE_TEXT: true, TEXT_MODE_PASSWORD: false };
  const ofText = (name: string): boolean => isShown(texts[name] ?? FUTURE);
  expect(wrongMeanings(Object.keys(texts), { known: readable, leftOut: [] }, ofText)).toEqual([]);

  const modes = numbersIn(PEER, 'ColorMode');
  const light = (mode: number) =>
    sourcesOf('light', { 12: mode })
      .map(({ feature }) => feature.key)
      .toSorted()
      .join(' ');
  const shown = {
    UNKNOWN: 'on',
    ON_OFF: 'on',
    LEGACY_BRIGHTNESS: 'brightness on',
    BRIGHTNESS: 'brightness on',
    WHITE: 'brightness on x.white',
    COLOR_TEMPERATURE: 'brightness color_temperature on',
    COLD_WARM_WHITE: 'brightness color_temperature on',
    RGB: 'brightness color on',
    RGB_WHITE: 'brightness color on x.white',
    RGB_COLOR_TEMPERATURE: 'brightness color color_temperature on x.white',
    RGB_COLD_WARM_WHITE: 'brightness color color_temperature on',
  };
  const names = Object.keys(modes).map((name) => name.slice('COLOR_MODE_'.length));
  expect(
    wrongMeanings<string>(names, { known: shown, leftOut: [] }, (name) => light(modes[`COLOR_MODE_${name}`] ?? FUTURE)),
  ).toEqual([]);
});

test('every kind of entity has the numbers of its messages, or is named as useless', () => {
  const messages = numbersIn(PEER, 'messages');
  const words = new Map(ENTITY_KINDS.map((kind) => [kind.word.replaceAll('_', ''), kind]));
  const useless = new Map([...USELESS_LISTED].map(([type, word]) => [word.replaceAll('_', ''), type]));
  const typeOf = (name: string): number | undefined => {
    const [, listed] = /^ListEntities(\w+)Response$/.exec(name) ?? [];
    if (listed === 'Services') return LIST_SERVICE;
    if (listed !== undefined) return words.get(listed.toLowerCase())?.listed.type ?? useless.get(listed.toLowerCase());
    if (name === 'ExecuteServiceRequest') return EXECUTE_SERVICE;
    if (name === 'EventResponse') return words.get('event')?.state?.type;
    const [, stated] = /^(\w+)StateResponse$/.exec(name) ?? [];
    if (stated !== undefined) return words.get(stated.toLowerCase())?.state?.type;
    return words.get((/^(\w+)CommandRequest$/.exec(name)?.[1] ?? '').toLowerCase())?.command?.type;
  };
  const leftOut = [{ why: 'ends the list', of: ['ListEntitiesDoneResponse'] }];
  const known = Object.fromEntries(Object.entries(messages).filter(([name]) => name !== 'ListEntitiesDoneResponse'));
  expect(wrongMeanings(Object.keys(messages), { known, leftOut }, typeOf)).toEqual([]);
});

/** Lists of the API that no list of the hub answers to. */
const UNUSED: LeftOut = [
  {
    why: 'are of older nodes than those that the hub speaks with',
    of: ['LegacyCoverState', 'LegacyCoverCommand', 'FanSpeed', 'SensorLastResetType'],
  },
  {
    why: 'say how a client draws or counts',
    of: ['NumberMode', 'SensorStateClass', 'MediaPlayerFormatPurpose'],
  },
  {
    why: 'are of questions that the hub does not ask',
    of: ['LogLevel', 'SupportsResponseType', 'DSTRuleType', 'DisconnectReason'],
  },
  {
    why: 'are of voices, radios and serial lines, which the hub leaves to others',
    of: [
      'BluetoothDeviceRequestType',
      'BluetoothScannerState',
      'BluetoothScannerMode',
      'VoiceAssistantSubscribeFlag',
      'VoiceAssistantRequestFlag',
      'VoiceAssistantEvent',
      'VoiceAssistantTimerEvent',
      'ZWaveProxyRequestType',
      'SerialProxyPortType',
      'SerialProxyParity',
      'SerialProxyRequestType',
      'SerialProxyStatus',
    ],
  },
];

test('each list of the API is held to one of the hub, or has a reason why there is none', () => {
  const held = new Set([
    ...CASES.map(({ list }) => list),
    'AlarmControlPanelStateCommand',
    'MediaPlayerCommand',
    'LockCommand',
    'UpdateCommand',
    'WaterHeaterCommandHasField',
    'EntityCategory',
    'ServiceArgType',
    'TemperatureUnit',
    'TextMode',
    'ColorMode',
    'messages',
  ]);
  const known = Object.fromEntries([...held].map((list) => [list, true]));
  expect(
    wrongMeanings(Object.keys(PEER.lists), { known, leftOut: UNUSED }, (list) => held.has(list) || undefined),
  ).toEqual([]);
});
