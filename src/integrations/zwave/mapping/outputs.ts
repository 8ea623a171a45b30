import { mapNumber } from '#core/feature/peer-value.ts';
import type { JsonValue } from '#base/json.ts';
import { ownFeature, wordFeature } from '#core/feature/new-feature.ts';
import type { NodeValue } from '#integrations/zwave/zwave-message.ts';
import { asSaid, control, isAboveZero, type Part, reading, sendingOf, type Sending, type Source } from './source.ts';

export const BASIC = 32;
export const BINARY_SWITCH = 37;
const MULTILEVEL_SWITCH = 38;
const BARRIER = 102;
const WINDOW_COVERING = 106;
const SOUND_SWITCH = 121;

/** Full; 255 means "as it was last". */
const FULL = 99;
const LAST = 255;
const PERCENT = { unit: 'percent', min: 0, max: 100 } as const;

const GENERIC_BINARY = 0x10;
const BINARY_SIREN = 0x05;
const BINARY_VALVE = 0x06;
const GENERIC_MULTILEVEL = 0x11;
const FAN = 0x08;
const MOTORS: ReadonlySet<number> = new Set([0x03, 0x05, 0x06, 0x07]);
const GENERIC_COVERING = 0x09;

/** Makes the parts that are switched, dimmed and moved. */
export function outputSources(part: Part): void {
  levelSources(part);
  switchSources(part);
  coveringSources(part);
  barrierSources(part);
  soundSources(part);
}

function switchSources(part: Part): void {
  const { generic, specific } = part.deviceClass;
  const isBinary = generic === GENERIC_BINARY;
  const word =
    isBinary && specific === BINARY_SIREN ? 'siren' : isBinary && specific === BINARY_VALVE ? 'valve_open' : 'on';
  const [shown, target] = [part.find(BINARY_SWITCH, 'currentValue'), part.find(BINARY_SWITCH, 'targetValue')];
  const same = { read: asSaid, write: asSaid };
  if (shown !== undefined) {
    part.add(control(wordFeature(word, part.component), { shown, target }, same), shown, target);
    return;
  }
  // Devices with nothing better have one level that means what their maker wanted.
  const basic = { shown: part.find(BASIC, 'currentValue'), target: part.find(BASIC, 'targetValue') };
  if (basic.shown === undefined || part.has('on')) return;
  part.add(
    control(
      wordFeature('on', part.component),
      { shown: basic.shown, target: basic.target },
      {
        read: isAboveZero,
        write: (on) => (on === true ? LAST : 0),
      },
    ),
  );
}

function levelSources(part: Part): void {
  const [shown, target] = [part.find(MULTILEVEL_SWITCH, 'currentValue'), part.find(MULTILEVEL_SWITCH, 'targetValue')];
  if (shown === undefined) return;
  const { generic, specific } = part.deviceClass;
  if (generic === GENERIC_COVERING || (generic === GENERIC_MULTILEVEL && MOTORS.has(specific))) {
    return coverSources(part, shown, target);
  }
  const isFan = generic === GENERIC_MULTILEVEL && specific === FAN;
  const on = control(
    wordFeature('on', part.component),
    { shown, target },
    {
      read: isAboveZero,
      write: (value) => (value === true ? LAST : 0),
    },
  );
  const word = isFan ? 'fan_speed' : 'brightness';
  const level = control(
    wordFeature(word, part.component, PERCENT),
    { shown, target },
    {
      // A lamp that is off has no brightness of its own to tell.
      read: (value) => (value === 0 && !isFan ? undefined : percentOf(value)),
      write: (percent) => Math.round((Number(percent) * FULL) / 100) || (Number(percent) > 0 ? 1 : 0),
    },
  );
  const [onKey, levelKey] = [on.feature.key, level.feature.key];
  part.add(
    { ...on, ...unlessSet(on, (command) => command.get(onKey) === true && command.has(levelKey)) },
    shown,
    target,
  );
  part.add({ ...level, ...unlessSet(level, (command) => command.get(onKey) === false) });
}

/** Lets a person's word for a switch count more than what a level implies, and a level more than "as it was last". */
function unlessSet(
  { write }: Source,
  isMeant: (command: ReadonlyMap<string, JsonValue>) => boolean,
): Pick<Source, 'write'> {
  if (write === undefined) return {};
  return { write: (value, command): readonly Sending[] => (isMeant(command) ? [] : write(value, command)) };
}

function percentOf(level: JsonValue): number | null | undefined {
  return mapNumber(level, (number) => (number >= 0 && number <= FULL ? Math.round((number * 100) / FULL) : null));
}

const STATES = ['open', 'close', 'stop'];

/** A blind: where it is, and a way to stop it. */
function coverSources(part: Part, shown: NodeValue, target: NodeValue | undefined): void {
  const [open, close] = ['Open', 'Up', 'On', 'Close', 'Down', 'Off']
    .map((name) => part.find(MULTILEVEL_SWITCH, name))
    .reduce<(NodeValue | undefined)[]>(
      (ends, value, index) => (index < 3 ? [ends[0] ?? value, undefined] : [ends[0], ends[1] ?? value]),
      [],
    );
  const position = control(
    wordFeature('position', part.component, PERCENT),
    { shown, target },
    {
      read: percentOf,
      write: (percent) => Math.round((Number(percent) * FULL) / 100),
    },
  );
  part.add(stateOf(part, { shown, target, halts: [open, close] }), open, close);
  part.add(position, shown, target);
}

type Ends = {
  readonly shown: NodeValue;
  readonly target: NodeValue | undefined;
  /** Values that start a movement, and end it with `false`. */
  readonly halts: readonly (NodeValue | undefined)[];
};

function stateOf(part: Part, { shown, target, halts }: Ends): Source | undefined {
  const feature = wordFeature('cover_state', part.component, { writable: true, options: STATES });
  const halt = halts.find((one) => one !== undefined);
  if (target?.metadata.writeable !== true) return undefined;
  const state = reading(feature, shown, (level) => {
    const percent = percentOf(level);
    if (typeof percent !== 'number') return percent;
    return percent === 0 ? 'close' : percent === 100 ? 'open' : 'stop';
  });
  return {
    ...state,
    write: (name) => {
      if (name !== 'stop') return [sendingOf(target, name === 'open' ? FULL : 0, shown)];
      return halt === undefined ? [] : [sendingOf(halt, false)];
    },
  };
}

/** Parameters with a known position, which are odd: those that move, and those of slats (@zwave-js/cc 15.29). */
const LIFTS = [13, 1, 3, 5, 7, 9, 15, 17, 19, 21];
const TILTS = [23, 11];

function coveringSources(part: Part): void {
  const places = [
    ['position', LIFTS],
    ['tilt', TILTS],
  ] as const;
  for (const [word, keys] of places) {
    for (const key of keys) {
      const [shown, target] = ['currentValue', 'targetValue'].map((name) => part.find(WINDOW_COVERING, name, key));
      if (shown === undefined) continue;
      const isAdded = part.add(
        control(
          wordFeature(word, part.component, PERCENT),
          { shown, target },
          {
            read: percentOf,
            write: (percent) => Math.round((Number(percent) * FULL) / 100),
          },
        ),
        shown,
        target,
      );
      if (!isAdded || word === 'tilt') continue;
      const halts = ['open', 'close'].map((name) => part.find(WINDOW_COVERING, name, key));
      part.add(stateOf(part, { shown, target, halts }), ...halts);
    }
  }
}

/** States of a barrier (@zwave-js/cc 15.29). */
const MOVEMENTS = new Map<JsonValue, string>([
  [0, 'closed'],
  [252, 'closing'],
  [253, 'stopped'],
  [254, 'opening'],
  [255, 'open'],
]);
/** One that has stopped halfway is shown as that: the word before would say that it is closed. */
const BARRIER_STATES = new Map<JsonValue, string>([
  [0, 'close'],
  [252, 'close'],
  [253, 'stop'],
  [254, 'open'],
  [255, 'open'],
]);

/** Garage doors and gates, which nobody can stop. They open the home: the hub guards that by the second feature's name. */
function barrierSources(part: Part): void {
  const [shown, target] = [part.find(BARRIER, 'currentState'), part.find(BARRIER, 'targetState')];
  if (shown === undefined) return;
  const feature = wordFeature('cover_state', part.component, { options: ['open', 'close'] });
  part.add(
    control(
      feature,
      { shown, target },
      {
        read: (state) => BARRIER_STATES.get(state) ?? null,
        write: (name) => (name === 'open' ? 255 : 0),
      },
    ),
    target,
  );
  const options = [...MOVEMENTS.values()];
  part.add(
    reading(
      ownFeature('garage_movement', part.component, { valueType: 'enum', category: 'primary', options }),
      shown,
      (state) => MOVEMENTS.get(state) ?? null,
    ),
    shown,
  );
}

/** Sirens and chimes: a tone plays until it is 0. 255 is the one that is set as the default. */
function soundSources(part: Part): void {
  const tone = part.find(SOUND_SWITCH, 'toneId');
  if (tone === undefined) return;
  part.add(
    control(
      wordFeature('siren', part.component),
      { shown: tone, target: tone },
      {
        read: (value) => mapNumber(value, (number) => number > 0),
        write: (on) => (on === true ? 255 : 0),
      },
    ),
  );
}
