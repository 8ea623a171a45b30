import { MOVERS, SUN_EVENTS } from './condition.ts';
import type { ObjectShape, Shape } from './shape.ts';
import { HUB_MOMENTS, type Trigger } from './trigger.ts';
import {
  about,
  BY,
  FOR_S,
  DAY_S,
  WEEK_S,
  BOOLEAN,
  OPERAND,
  number,
  whole,
  seconds,
  text,
  word,
  reference,
  oneOrList,
  object,
  ANY_NUMBER,
  CLOCK,
  DATES,
  MOMENT,
  KEY,
  PERSON,
  DAYS_LIST,
  VALUES,
  SELECTION,
} from './shape-words.ts';

const SOURCE = {
  device: about('The device that is watched.', reference('device')),
  group: about('The group that is watched, as the one device that it is.', reference('group')),
  any_of: about('All devices that fit are watched, each for itself.', SELECTION),
};
const ONE_SOURCE = ['device', 'group', 'any_of'];
const OF_FEATURE = {
  ...SOURCE,
  key: about('Key of the feature, such as `on`; with `any_of` by default the features with its `capability`.', KEY),
};
const HELD = {
  for_s: about('Seconds for which it must stay so before the trigger fires; by default it fires at once.', FOR_S),
  grace_s: about(
    'Seconds for which the value may be unknown meanwhile without ending that; by default 300.',
    seconds(DAY_S),
  ),
};
const FROM_TO = {
  to: about('The new value, or a list of which one fits; `"*"` and absent: any.', VALUES),
  from: about('The value before, or a list of which one fits; `"*"` and absent: any.', VALUES),
};
const CIVIL = {
  missed: about(
    'What happens to times that passed while the hub was off: `skip`, `always` (one run, for the last of them), or `{"run_late_s": …}`, the seconds that this run may be late; by default 300.',
    {
      kind: 'objectOr',
      object: object({ run_late_s: seconds(WEEK_S) }, { required: ['run_late_s'] }),
      other: word('skip', 'always'),
    },
  ),
  when_clock_unset: about(
    'While the clock is not set: `wait` until it is (the default), or `go_by_last`, the best guess of the hub.',
    word('wait', 'go_by_last'),
  ),
  days: DAYS_LIST,
} satisfies ObjectShape['members'];

/** The members of one member of a union, so that a table cannot forget one or invent one. */
type MembersOf<One> = Readonly<Record<One extends unknown ? Exclude<keyof One, 'id' | 'type'> : never, Shape>>;
type TriggerShapes = {
  readonly [Type in Trigger['type']]: { readonly members: MembersOf<Extract<Trigger, { readonly type: Type }>> } & Omit<
    ObjectShape,
    'kind' | 'members'
  >;
};

export const TRIGGER_TYPES: TriggerShapes = {
  feature: {
    members: {
      ...OF_FEATURE,
      ...FROM_TO,
      ...HELD,
      by: about(BY, word(...MOVERS)),
      all: about('With `any_of` and `to`: fires once all of them have the value; by default at each of them.', BOOLEAN),
      assumed: about('Counts also what was sent and not reported yet; by default `false`.', BOOLEAN),
    },
    one: [ONE_SOURCE],
    about: 'Fires when the value of a feature changes.',
  },
  threshold: {
    members: {
      ...OF_FEATURE,
      above: about('Fires when the value comes above this; beside `below`, when it comes between them.', OPERAND),
      below: about('Fires when the value comes below this.', OPERAND),
      hysteresis: about(
        'How far the value must come back before it can fire again, in the unit of the feature; by default what suits its capability.',
        number(0, 1e15),
      ),
      ...HELD,
      again_after_s: about(
        'Seconds after which it fires again while it stays so; by default it does not.',
        seconds(WEEK_S, 1),
      ),
      change: about(
        'Fires when the value changes fast enough.',
        object(
          {
            by: about(
              'The least rise, or the least fall where it is negative, in the unit of the feature.',
              ANY_NUMBER,
            ),
            within_s: about('Seconds in which that happens.', seconds(DAY_S, 1)),
          },
          { required: ['by', 'within_s'], name: 'ThresholdChange' },
        ),
      ),
    },
    one: [ONE_SOURCE],
    some: ['above', 'below', 'change'],
    about: 'Fires when a number passes a limit.',
  },
  occurrence: {
    members: {
      ...OF_FEATURE,
      action: about(
        'What was done, such as `single`, or a list of which one fits; by default anything.',
        oneOrList(text(256)),
      ),
      count: about('How many times the button was pressed; by default any number.', whole(1, 100)),
      raw: about('The word of the device for it; by default any.', text(256)),
    },
    one: [ONE_SOURCE],
    about: 'Fires when a button is pressed, or something else happens that is no state.',
  },
  time: {
    members: {
      at: about(
        'Clock times `HH:MM` or `HH:MM:SS`: one, a list, or `{"variable": …}`, the variable of the home that holds one.',
        {
          kind: 'objectOr',
          object: object({ variable: reference('variable') }, { required: ['variable'] }),
          other: oneOrList(CLOCK, 24),
        },
      ),
      cron: about('Times in the five fields of cron, such as `0,30 8-17 * * 1-5`.', text(128)),
      every_s: about('Seconds from one time to the next.', seconds(31 * DAY_S, 5)),
      anchor: about('The moment in UTC from which `every_s` counts; by default the beginning of 1970.', MOMENT),
      ...CIVIL,
      dates: about('Only on these dates: `MM-DD`, `YYYY-MM-DD`, or `12-20..01-06`; by default on all.', DATES),
      except_dates: about('Not on these dates, in the same form; by default none.', DATES),
    },
    one: [['at', 'cron', 'every_s']],
    about: 'Fires at times of the clock.',
  },
  sun: {
    members: {
      event: about(
        'The moment of the day; `elevation`: the height in `elevation_deg`.',
        word(...SUN_EVENTS, 'elevation'),
      ),
      elevation_deg: about('With `elevation`: degrees over the horizon.', number(-90, 90)),
      rising: about('With `elevation`: whether the sun rises to that height, or sinks to it.', BOOLEAN),
      offset_s: about(
        'Seconds by which it fires later, or earlier if negative; by default 0.',
        number(-21_600, 21_600),
      ),
      not_before: about('The earliest clock time at which it fires.', CLOCK),
      not_after: about('The latest clock time at which it fires.', CLOCK),
      if_none: about('On days without that moment: this clock time, or `skip`, the default.', {
        kind: 'text',
        max: 8,
        pattern: /^(?:skip|(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d)?)$/,
        example: 'skip',
      }),
      ...CIVIL,
    },
    required: ['event'],
    about: 'Fires at moments of the sun at the place of the home.',
  },
  hook: {
    members: {
      accepts: about('JSON Schema that the body of the call must fit; by default any object does.', { kind: 'json' }),
    },
    about: 'Fires when a program calls `POST /api/v1/automation/{selector}/hook/{trigger}`.',
  },
  mode: {
    members: { mode: about('The mode that is watched.', reference('mode')), ...FROM_TO, ...HELD },
    required: ['mode'],
    about: 'Fires when a mode gets another value.',
  },
  variable: {
    members: { variable: about('The variable that is watched.', reference('variable')), ...FROM_TO, ...HELD },
    required: ['variable'],
    about: 'Fires when a variable of the home gets another value.',
  },
  presence: {
    members: { person: PERSON, to: about('Whether they come or leave.', word('home', 'away')), ...HELD },
    required: ['person', 'to'],
    about: 'Fires when somebody comes home or leaves.',
  },
  availability: {
    members: {
      ...SOURCE,
      integration: about('The integration that is watched.', reference('integration')),
      to: about('Whether it cannot be reached any more, or can again.', word('offline', 'online')),
      ...HELD,
    },
    one: [[...ONE_SOURCE, 'integration']],
    required: ['to'],
    about: 'Fires when a device or an integration goes or comes back.',
  },
  hub: {
    members: {
      on: about('What happens; `update`: a newer version is there.', word(...HUB_MOMENTS)),
      integration: about('With `integration_up`: the one that came up; by default any.', reference('integration')),
    },
    required: ['on'],
    about: 'Fires when something happens to the hub itself.',
  },
  automation: {
    members: {
      automation: about('The automation that is watched.', reference('automation')),
      outcome: about(
        'How its run ended; `tripped`: it was stopped because it started too often.',
        word('failed', 'finished', 'tripped'),
      ),
    },
    required: ['automation', 'outcome'],
    about: 'Fires when a run of another automation ends.',
  },
};
