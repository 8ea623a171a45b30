import { MOVERS, SUN_EVENTS } from './condition.ts';
import type { ObjectShape, Shape } from './shape.ts';
import { HUB_MOMENTS, type Trigger } from './trigger.ts';
import {
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

const SOURCE = { device: reference('device'), group: reference('group'), any_of: SELECTION };
const ONE_SOURCE = ['device', 'group', 'any_of'];
const HELD = { for_s: FOR_S, grace_s: seconds(DAY_S) };
const FROM_TO = { to: VALUES, from: VALUES };
const CIVIL = {
  missed: {
    kind: 'objectOr',
    object: object({ run_late_s: seconds(WEEK_S) }, { required: ['run_late_s'] }),
    other: word('skip', 'always'),
  },
  when_clock_unset: word('wait', 'go_by_last'),
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
    members: { ...SOURCE, key: KEY, ...FROM_TO, ...HELD, by: word(...MOVERS), all: BOOLEAN, assumed: BOOLEAN },
    one: [ONE_SOURCE],
  },
  threshold: {
    members: {
      ...SOURCE,
      key: KEY,
      above: OPERAND,
      below: OPERAND,
      hysteresis: number(0, 1e15),
      ...HELD,
      again_after_s: seconds(WEEK_S, 1),
      change: object({ by: ANY_NUMBER, within_s: seconds(DAY_S, 1) }, { required: ['by', 'within_s'] }),
    },
    one: [ONE_SOURCE],
    some: ['above', 'below', 'change'],
  },
  occurrence: {
    members: { ...SOURCE, key: KEY, action: oneOrList(text(256)), count: whole(1, 100), raw: text(256) },
    one: [ONE_SOURCE],
  },
  time: {
    members: {
      at: {
        kind: 'objectOr',
        object: object({ variable: reference('variable') }, { required: ['variable'] }),
        other: oneOrList(CLOCK, 24),
      },
      cron: text(128),
      every_s: seconds(31 * DAY_S, 5),
      anchor: MOMENT,
      ...CIVIL,
      dates: DATES,
      except_dates: DATES,
    },
    one: [['at', 'cron', 'every_s']],
  },
  sun: {
    members: {
      event: word(...SUN_EVENTS, 'elevation'),
      elevation_deg: number(-90, 90),
      rising: BOOLEAN,
      offset_s: number(-21_600, 21_600),
      not_before: CLOCK,
      not_after: CLOCK,
      if_none: { kind: 'text', max: 8, pattern: /^(?:skip|(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d)?)$/, example: 'skip' },
      ...CIVIL,
    },
    required: ['event'],
  },
  hook: { members: { accepts: { kind: 'json' } } },
  mode: { members: { mode: reference('mode'), ...FROM_TO, ...HELD }, required: ['mode'] },
  variable: { members: { variable: reference('variable'), ...FROM_TO, ...HELD }, required: ['variable'] },
  presence: { members: { person: PERSON, to: word('home', 'away'), ...HELD }, required: ['person', 'to'] },
  availability: {
    members: { ...SOURCE, integration: reference('integration'), to: word('offline', 'online'), ...HELD },
    one: [[...ONE_SOURCE, 'integration']],
    required: ['to'],
  },
  hub: { members: { on: word(...HUB_MOMENTS), integration: reference('integration') }, required: ['on'] },
  automation: {
    members: { automation: reference('automation'), outcome: word('failed', 'finished', 'tripped') },
    required: ['automation', 'outcome'],
  },
};
