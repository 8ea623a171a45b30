import {
  bodies,
  body,
  BOOLEAN,
  CLOCK,
  DAY_S,
  type Form,
  form,
  formOf,
  list,
  type Member,
  OPERAND,
  OPERANDS,
  reference,
  seconds,
  SELECTION,
  text,
  whole,
  word,
} from './form.ts';

const STEPS = bodies('step', 200);
const RETRY = form('retry', { times: whole(1, 5), after_s: seconds(3600) }, { required: ['times', 'after_s'] });
const SENDING = {
  transition_ms: whole(0, 3_600_000, 'ms'),
  expires_in: whole(1, 3600, 'seconds'),
  wait: word('none', 'sent', 'finished'),
  retry: RETRY,
  on_failure: word('continue', 'stop'),
  skip_if_same: BOOLEAN,
};
const TARGETS = form(
  'targets',
  {
    devices: list(reference('device'), 100),
    group: reference('group'),
    room: reference('room'),
    any_of: SELECTION,
    trigger: word('device'),
  },
  { some: ['devices', 'group', 'room', 'any_of', 'trigger'] },
);
const ENDS = { for_s: seconds(31 * DAY_S, 1), until: CLOCK };
const LATE_MAX_S = seconds(31 * DAY_S);

/** By the member that says what a step does. */
export const STEPS_BY_WORD: Readonly<Record<string, Member>> = {
  command: form(
    'step.command',
    {
      targets: TARGETS,
      set: { kind: 'record', of: OPERAND, look: 'settings', max: 50 },
      do: text('action', 256),
      ...SENDING,
    },
    { required: ['targets'], one: [['set', 'do']] },
  ),
  scene: form('step.scene', { scene: reference('scene'), ...SENDING }, { required: ['scene'] }),
  restore: form('step.restore', { since: word('run', 'trigger') }),
  delay: form('step.delay', { s: OPERAND, until: CLOCK, late_max_s: LATE_MAX_S }, { one: [['s', 'until']] }),
  wait_for: form(
    'step.wait_for',
    {
      triggers: bodies('trigger', 50),
      condition: body('condition'),
      timeout_s: seconds(7 * DAY_S, 1),
      then: word('continue', 'stop'),
      late_max_s: LATE_MAX_S,
    },
    { required: ['timeout_s'], one: [['triggers', 'condition']] },
  ),
  choose: form(
    'step.choose',
    {
      cases: list(form('case', { if: body('condition'), then: STEPS }, { required: ['if', 'then'] }), 20),
      else: STEPS,
    },
    { required: ['cases'] },
  ),
  repeat: form(
    'step.repeat',
    {
      times: OPERAND,
      while: body('condition'),
      until: body('condition'),
      for_each: form('each', { variable: text('name', 32), in: list(OPERAND, 200) }, { required: ['variable', 'in'] }),
      max: whole(1, 1000),
      steps: STEPS,
    },
    { required: ['max', 'steps'], one: [['times', 'while', 'until', 'for_each']] },
  ),
  parallel: form('step.parallel', { branches: list(STEPS, 8), end: word('all', 'any') }, { required: ['branches'] }),
  notify: form(
    'step.notify',
    {
      severity: word('info', 'warning', 'critical'),
      title: text('line', 200),
      text: text('long', 2000),
      to: list(text('recipient', 80), 20),
      key: text('line', 64),
      resolve_key: text('line', 64),
      repeat_s: seconds(DAY_S, 60),
      operands: OPERANDS,
    },
    { required: ['severity', 'title'] },
  ),
  request: form(
    'step.request',
    { method: word('GET', 'POST'), url: text('url', 2048), json: OPERANDS, wait: BOOLEAN },
    { required: ['method', 'url'] },
  ),
  mode: form(
    'step.mode',
    { mode: reference('mode'), value: text('modeValue', 64), ...ENDS },
    { required: ['mode', 'value'] },
  ),
  variable: form(
    'step.variable',
    { variable: reference('variable'), value: OPERAND },
    { required: ['variable', 'value'] },
  ),
  presence_note: form(
    'step.presence_note',
    { person: reference('person'), state: word('home', 'away') },
    { required: ['person', 'state'] },
  ),
  automation: form(
    'step.automation',
    { automation: reference('automation'), do: word('enable', 'disable', 'run', 'stop') },
    { required: ['automation', 'do'] },
  ),
  stop: form(
    'step.stop',
    { outcome: word('finished', 'failed'), reason: text('line', 200) },
    { required: ['outcome'] },
  ),
};

/** What an automation has beside its triggers, conditions and steps. */
export const DEFINITION: Form = formOf(
  'definition',
  {
    mode: form(
      'run_mode',
      { kind: word('single', 'restart', 'queued', 'parallel'), max: whole(1, 50) },
      { required: ['kind'] },
    ),
    yield_to_hand_s: seconds(DAY_S),
    release_on_mode: BOOLEAN,
    durable: word('auto', 'always'),
    on_broken: word('stop', 'run_rest'),
    limits: word('usual', 'high'),
    allow_sensitive: list(reference('device'), 100, 0),
    variables: OPERANDS,
    triggers: bodies('trigger', 50),
    conditions: bodies('condition', 100),
    steps: STEPS,
  },
  { required: ['triggers', 'steps'] },
);
