import { DEVICE_TYPES } from '#core/device/device.ts';
import { DAYS } from './condition.ts';
import { DEFINITION_LIMITS } from './definition.ts';
import type { ObjectShape, ReferenceKind, Shape } from './shape.ts';

// Words for the tables of shapes.

export const DAY_S = 86_400;
export const WEEK_S = 7 * DAY_S;

export const FOR_S: Shape = { kind: 'number', min: 0, max: 30 * DAY_S };
export const BOOLEAN: Shape = { kind: 'boolean' };
export const OPERAND: Shape = { kind: 'part', part: 'operand' };
export const CONDITION: Shape = { kind: 'part', part: 'condition' };
export const STEP: Shape = { kind: 'part', part: 'step' };
export const STEPS: Shape = { kind: 'list', of: STEP, max: DEFINITION_LIMITS.steps };
export const TRIGGER: Shape = { kind: 'part', part: 'trigger' };
export const TRIGGERS: Shape = { kind: 'list', of: TRIGGER, max: DEFINITION_LIMITS.triggers };
export const CONDITIONS: Shape = { kind: 'list', of: CONDITION, max: DEFINITION_LIMITS.conditions };

export const number = (min: number, max: number): Shape => ({ kind: 'number', min, max });
export const whole = (min: number, max: number): Shape => ({ kind: 'number', min, max, isWhole: true });
export const seconds = (max: number, min = 0): Shape => number(min, max);
export const text = (max: number): Shape => ({ kind: 'text', max });
export const word = (...words: readonly string[]): Shape => ({ kind: 'word', words });
export const reference = (to: ReferenceKind): Shape => ({ kind: 'reference', to });
export const oneOrList = (of: Shape, max = 32): Shape => ({ kind: 'oneOrList', of, max });
export const list = (of: Shape, max: number, min = 1): Shape => ({ kind: 'list', of, min, max });
export const object = (
  members: ObjectShape['members'],
  part: Omit<ObjectShape, 'kind' | 'members'> = {},
): ObjectShape => ({
  kind: 'object',
  members,
  ...part,
});
export const about = <One extends Shape>(words: string, shape: One): One => ({ ...shape, about: words });
export const tuple = (...of: readonly Shape[]): Shape => ({ kind: 'tuple', of });

export const ANY_NUMBER = number(-1e15, 1e15);
export const CLOCK: Shape = {
  kind: 'text',
  max: 8,
  pattern: /^(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d)?$/,
  example: '06:45',
};
const DATE = String.raw`(?:\d{4}-)?(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])`;
export const DATES = list(
  { kind: 'text', max: 23, pattern: new RegExp(`^${DATE}(?:\\.\\.${DATE})?$`), example: '12-20..01-06' },
  100,
);
export const MOMENT: Shape = {
  kind: 'text',
  max: 32,
  pattern: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,3})?Z$/,
  example: '2026-01-31T08:00:00Z',
};
export const ID: Shape = { kind: 'text', max: 32, pattern: /^[A-Za-z][A-Za-z0-9_-]*$/, example: 's1' };
export const NAME = /^[a-z][a-z0-9_]{0,31}$/;
export const KEY: Shape = { kind: 'text', max: 256 };
export const PERSON: Shape = {
  kind: 'reference',
  to: 'person',
  words: ['anyone', 'everyone'],
  about: 'The person; `anyone`: at least one of all; `everyone`: each of them.',
};
export const DAYS_LIST = about(
  'The days on which it counts; by default every day. `workday`: Monday to Friday without the dates of the calendar.',
  list({ kind: 'word', words: DAYS }, DAYS.length),
);
export const BY =
  'Who changed it; by default anybody. `hand`: a person at the device, without a command; `hub`: a command; `other`: a sensor, without a command.';
export const VALUES: Shape = { kind: 'json' };
export const OPERANDS: Shape = { kind: 'record', of: OPERAND, names: NAME, max: 50 };

export const SELECTION = object(
  {
    room: about('Only devices in this room.', reference('room')),
    capability: about('Only devices that have a feature with this capability, such as `motion`.', {
      kind: 'text',
      max: 128,
      pattern: /^(?:x\.)?[A-Za-z0-9_.-]+$/,
      example: 'motion',
    }),
    type: about('Only devices of this type.', { kind: 'word', words: DEVICE_TYPES }),
    except: about('These devices are never meant.', list(reference('device'), 100, 0)),
  },
  {
    some: ['room', 'capability', 'type'],
    name: 'DeviceSelection',
    about: 'All devices that fit everything that is said; which these are is found anew at each change of the home.',
  },
);
