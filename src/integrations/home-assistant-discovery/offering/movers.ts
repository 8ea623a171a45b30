import type { JsonObject } from '#base/json.ts';
import type { Feature } from '#core/feature/feature.ts';
import { findSettable, findState, type Part } from '#integrations/offering/part.ts';
import {
  type Component,
  nameOf,
  numberFrom,
  oneOf,
  optionOf,
  type ReadCommand,
  setting,
  slugOf,
  SWITCHED,
  valueTemplate,
  wordTemplate,
} from './component.ts';

type Made = { readonly component: Component; readonly used: readonly Feature[] };

const COVER_WORDS = [
  ['open', 'open'],
  ['opened', 'open'],
  ['opening', 'opening'],
  ['close', 'closed'],
  ['closed', 'closed'],
  ['closing', 'closing'],
  ['stop', 'stopped'],
  ['stopped', 'stopped'],
] as const;

export function coverFrom(part: Part): Made | undefined {
  const place = findState(part, 'position');
  const state = findState(part, 'cover_state');
  const main = findSettable(part, 'cover_state') ?? findSettable(part, 'position');
  if (main === undefined) return undefined;
  const tilt = findSettable(part, 'tilt');
  const settablePlace = findSettable(part, 'position');
  const commands = new Map<string, ReadCommand>([['command_topic', coverCommand(main)]]);
  if (settablePlace !== undefined) commands.set('set_position_topic', setting(settablePlace, numberFrom));
  if (tilt !== undefined) commands.set('tilt_command_topic', setting(tilt, numberFrom));
  const canStop = main.capability === 'cover_state' && main.options?.includes('stop') === true;
  const component: Component = {
    platform: 'cover',
    slug: slugOf(main.key),
    config: {
      name: nameOf(main),
      ...(canStop ? {} : { payload_stop: null }),
      ...(place === undefined ? {} : { position_template: valueTemplate(place) }),
      // With a position, the word that was sent last would only contradict it.
      ...(place === undefined && state !== undefined ? { value_template: wordTemplate(state, COVER_WORDS) } : {}),
      ...(tilt === undefined ? {} : { tilt_status_template: valueTemplate(tilt) }),
    },
    stateTopics: [
      ...(place === undefined ? ['state_topic'] : ['position_topic']),
      ...(tilt === undefined ? [] : ['tilt_status_topic']),
    ],
    commands,
  };
  return { component, used: [main, place, state, tilt].filter((feature) => feature !== undefined) };
}

function coverCommand(main: Feature): ReadCommand {
  if (main.capability === 'position') return setting(main, oneOf({ OPEN: 100, CLOSE: 0 }));
  const word = (wanted: string): string => main.options?.find((option) => option.startsWith(wanted)) ?? wanted;
  return setting(main, oneOf({ OPEN: word('open'), CLOSE: word('close'), STOP: word('stop') }));
}

export function lockFrom(part: Part): Made | undefined {
  const locked = findSettable(part, 'locked');
  if (locked === undefined) return undefined;
  return {
    component: {
      platform: 'lock',
      slug: slugOf(locked.key),
      config: {
        name: nameOf(locked),
        value_template: wordTemplate(locked, [
          [true, 'LOCKED'],
          [false, 'UNLOCKED'],
        ]),
      },
      stateTopics: ['state_topic'],
      commands: new Map([['command_topic', setting(locked, oneOf({ LOCK: true, UNLOCK: false }))]]),
    },
    used: [locked],
  };
}

export function valveFrom(part: Part): Made | undefined {
  const open = findSettable(part, 'valve_open');
  if (open === undefined) return undefined;
  return {
    component: {
      platform: 'valve',
      slug: slugOf(open.key),
      config: {
        name: nameOf(open),
        value_template: wordTemplate(open, [
          [true, 'open'],
          [false, 'closed'],
        ]),
      },
      stateTopics: ['state_topic'],
      commands: new Map([['command_topic', setting(open, oneOf({ OPEN: true, CLOSE: false }))]]),
    },
    used: [open],
  };
}

export function fanFrom(part: Part): Made | undefined {
  const on = findSettable(part, 'on');
  const speed = findSettable(part, 'fan_speed');
  const mode = findSettable(part, 'fan_mode');
  if (on === undefined || (speed === undefined && mode === undefined && part.device.type !== 'fan')) return undefined;
  const commands = new Map<string, ReadCommand>([['command_topic', setting(on, SWITCHED)]]);
  if (speed !== undefined) commands.set('percentage_command_topic', setting(speed, numberFrom));
  if (mode !== undefined) commands.set('preset_mode_command_topic', setting(mode, optionOf(mode)));
  const config: JsonObject = {
    name: nameOf(on),
    state_value_template: switchTemplate(on),
    ...(speed === undefined ? {} : { percentage_value_template: valueTemplate(speed) }),
    ...(mode === undefined
      ? {}
      : { preset_modes: [...(mode.options ?? [])], preset_mode_value_template: valueTemplate(mode) }),
  };
  const stateTopics = [
    'state_topic',
    ...(speed === undefined ? [] : ['percentage_state_topic']),
    ...(mode === undefined ? [] : ['preset_mode_state_topic']),
  ];
  return {
    component: { platform: 'fan', slug: slugOf(on.key), config, stateTopics, commands },
    used: [on, speed, mode].filter((feature) => feature !== undefined),
  };
}

export function switchTemplate(feature: Feature): string {
  return wordTemplate(feature, [
    [true, 'ON'],
    [false, 'OFF'],
  ]);
}
