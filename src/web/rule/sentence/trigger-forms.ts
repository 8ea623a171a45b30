import {
  BOOLEAN,
  CLOCK,
  DAY_S,
  DAYS,
  FOR_S,
  type Form,
  form,
  formOf,
  JSON_VALUE,
  KEY,
  list,
  MOVER,
  number,
  OPERAND,
  PERSON,
  reference,
  seconds,
  SELECTION,
  some,
  SUN_EVENTS,
  text,
  VALUE,
  WEEK_S,
  whole,
  word,
} from './form.ts';

const SOURCE = { device: reference('device'), group: reference('group'), any_of: SELECTION };
const ONE_SOURCE = ['device', 'group', 'any_of'];
const HELD = { for_s: FOR_S, grace_s: seconds(DAY_S) };
const FROM_TO = { to: VALUE, from: VALUE };
const CIVIL = {
  missed: {
    kind: 'either',
    form: formOf('late', { run_late_s: seconds(WEEK_S) }, { required: ['run_late_s'] }),
    other: word('skip', 'always'),
  },
  when_clock_unset: word('wait', 'go_by_last'),
  days: DAYS,
} satisfies Form['members'];
const DATES = list(text('date', 23), 100);

/** By the type of the trigger. */
export const TRIGGERS: Readonly<Record<string, Form>> = {
  feature: formOf(
    'trigger.feature',
    { ...SOURCE, key: KEY, ...FROM_TO, ...HELD, by: MOVER, all: BOOLEAN, assumed: BOOLEAN },
    { one: [ONE_SOURCE] },
  ),
  threshold: formOf(
    'trigger.threshold',
    {
      ...SOURCE,
      key: KEY,
      above: OPERAND,
      below: OPERAND,
      hysteresis: number('plain', 0, 1e15),
      ...HELD,
      again_after_s: seconds(WEEK_S, 1),
      change: form(
        'change',
        { by: number('plain', -1e15, 1e15), within_s: seconds(DAY_S, 1) },
        { required: ['by', 'within_s'] },
      ),
    },
    { one: [ONE_SOURCE], some: ['above', 'below', 'change'] },
  ),
  occurrence: formOf(
    'trigger.occurrence',
    { ...SOURCE, key: KEY, action: some(text('action', 256)), count: whole(1, 100), raw: text('line', 256) },
    { one: [ONE_SOURCE] },
  ),
  time: formOf(
    'trigger.time',
    {
      at: {
        kind: 'either',
        form: formOf('time_of', { variable: reference('variable') }, { required: ['variable'] }),
        other: some(CLOCK, 24),
      },
      cron: text('line', 128),
      every_s: seconds(31 * DAY_S, 5),
      anchor: text('moment', 32),
      ...CIVIL,
      dates: DATES,
      except_dates: DATES,
    },
    { one: [['at', 'cron', 'every_s']] },
  ),
  sun: formOf(
    'trigger.sun',
    {
      event: word(...SUN_EVENTS, 'elevation'),
      elevation_deg: number('degrees', -90, 90),
      rising: BOOLEAN,
      offset_s: number('offset', -21_600, 21_600),
      not_before: CLOCK,
      not_after: CLOCK,
      if_none: text('clockOrSkip', 8),
      ...CIVIL,
    },
    { required: ['event'] },
  ),
  hook: formOf('trigger.hook', { accepts: JSON_VALUE }),
  mode: formOf('trigger.mode', { mode: reference('mode'), ...FROM_TO, ...HELD }, { required: ['mode'] }),
  variable: formOf(
    'trigger.variable',
    { variable: reference('variable'), ...FROM_TO, ...HELD },
    { required: ['variable'] },
  ),
  presence: formOf(
    'trigger.presence',
    { person: PERSON, to: word('home', 'away'), ...HELD },
    { required: ['person', 'to'] },
  ),
  availability: formOf(
    'trigger.availability',
    { ...SOURCE, integration: reference('integration'), to: word('offline', 'online'), ...HELD },
    { one: [[...ONE_SOURCE, 'integration']], required: ['to'] },
  ),
  hub: formOf(
    'trigger.hub',
    { on: word('started', 'clock_set', 'integration_up', 'update'), integration: reference('integration') },
    { required: ['on'] },
  ),
  automation: formOf(
    'trigger.automation',
    { automation: reference('automation'), outcome: word('failed', 'finished', 'tripped') },
    { required: ['automation', 'outcome'] },
  ),
};
