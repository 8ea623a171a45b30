import { SEVERITIES } from '#core/notification/notification.ts';
import { DEFINITION_LIMITS } from './definition.ts';
import type { Shape } from './shape.ts';
import type { StepWord } from './step.ts';
import {
  about,
  DAY_S,
  BOOLEAN,
  OPERAND,
  CONDITION,
  STEP,
  STEPS,
  TRIGGER,
  whole,
  seconds,
  text,
  word,
  reference,
  list,
  object,
  CLOCK,
  NAME,
  OPERANDS,
  SELECTION,
} from './shape-words.ts';

const SENDING = {
  transition_ms: about(
    'Milliseconds in which lamps fade to it; by default the time of the device.',
    whole(0, 3_600_000),
  ),
  expires_in: about(
    'Seconds for which it waits for a device that sleeps; by default 300, and 30 for locks and the like.',
    whole(1, 3600),
  ),
  wait: about(
    'What the next step waits for: nothing (the default), `sent`, or `finished`.',
    word('none', 'sent', 'finished'),
  ),
  retry: object(
    {
      times: about('How many times it is sent again at most.', whole(1, 5)),
      after_s: about('Seconds between the end of one attempt and the next.', seconds(3600)),
    },
    {
      required: ['times', 'after_s'],
      name: 'CommandRetry',
      about: 'Sends again what failed or what nothing confirmed; by default nothing is sent again.',
    },
  ),
  on_failure: about('Whether the run goes on where it failed; by default `continue`.', word('continue', 'stop')),
  skip_if_same: about('Sends nothing to devices that have reported all of it already; by default `true`.', BOOLEAN),
};
const TARGETS = object(
  {
    devices: about('These devices.', list(reference('device'), 100)),
    group: about('This group.', reference('group')),
    room: about('The devices of this room that can do all of the command.', reference('room')),
    any_of: about('The devices that fit.', SELECTION),
    trigger: about('The device that started the run.', word('device')),
  },
  {
    some: ['devices', 'group', 'room', 'any_of', 'trigger'],
    name: 'AutomationTargets',
    about: 'The devices that get the command; one that is named twice gets it once.',
  },
);
const ENDS = {
  for_s: about('Seconds after which the value before comes back; by default it stays.', seconds(31 * DAY_S, 1)),
  until: about('Clock time at which the value before comes back; by default it stays.', CLOCK),
};
const CASE = object(
  {
    if: about('The condition of this case.', CONDITION),
    then: about('The steps that are done if this is the first case whose condition is met.', STEPS),
  },
  { required: ['if', 'then'], name: 'ChooseCase' },
);
const EACH = object(
  {
    variable: about('The name under which `{"variable": …}` finds the value of the round.', {
      kind: 'text',
      max: 32,
      pattern: NAME,
    }),
    in: about('The values, one for each round.', list(OPERAND, DEFINITION_LIMITS.eachValues)),
  },
  { required: ['variable', 'in'], name: 'RepeatEach', about: 'A round for each of these values.' },
);
const LATE_MAX_S = about(
  'Seconds that the run may be late to go on after a restart of the hub; by default 3600.',
  seconds(31 * DAY_S),
);

export const STEP_WORDS: Readonly<Record<StepWord, Shape>> = {
  command: object(
    {
      targets: TARGETS,
      set: about('By keys of features: the value that each gets.', {
        kind: 'record',
        of: OPERAND,
        names: /^.{1,256}$/u,
        min: 1,
        max: 50,
      }),
      do: about('An action of the devices, such as `toggle` or `identify`.', text(256)),
      ...SENDING,
    },
    { required: ['targets'], one: [['set', 'do']], about: 'Sends a command to devices.' },
  ),
  scene: object(
    { scene: about('The scene whose values are sent.', reference('scene')), ...SENDING },
    { required: ['scene'], about: 'Activates a scene.' },
  ),
  restore: object(
    {
      since: about(
        '`run`: what this run changed (the default); `trigger`: also what runs did whose place this one took.',
        word('run', 'trigger'),
      ),
    },
    { about: 'Puts back what was changed, where it is still as it was set.' },
  ),
  delay: object(
    {
      s: about('Seconds to wait.', OPERAND),
      until: about('Waits for the next such time of the clock.', CLOCK),
      late_max_s: LATE_MAX_S,
    },
    { one: [['s', 'until']], about: 'Waits.' },
  ),
  wait_for: object(
    {
      triggers: about('Waits until one of these fires.', list(TRIGGER, DEFINITION_LIMITS.triggers)),
      condition: about('Waits until this is met; it may be so already.', CONDITION),
      timeout_s: about('Seconds to wait at most.', seconds(DEFINITION_LIMITS.timeoutS, 1)),
      then: about('After that time: goes on (`continue`, the default), or ends the run.', word('continue', 'stop')),
      late_max_s: LATE_MAX_S,
    },
    { required: ['timeout_s'], one: [['triggers', 'condition']], about: 'Waits for something to happen or to be so.' },
  ),
  choose: object(
    {
      cases: about('Looked at in this order; the first whose condition is met is done.', list(CASE, 20)),
      else: about('The steps that are done if no case is met; by default none.', STEPS),
    },
    { required: ['cases'], about: 'Does one of several things.' },
  ),
  repeat: object(
    {
      times: about('How many rounds; a number that is unknown is none.', OPERAND),
      while: about('Asked before each round, and another one begins only if it is met.', CONDITION),
      until: about('Asked after each round, and no other one begins if it is met.', CONDITION),
      for_each: EACH,
      max: about('There are never more rounds than this.', whole(1, DEFINITION_LIMITS.rounds)),
      steps: about('What is done in each round.', list(STEP, DEFINITION_LIMITS.steps)),
    },
    {
      required: ['max', 'steps'],
      one: [['times', 'while', 'until', 'for_each']],
      about: 'Does the same several times.',
    },
  ),
  parallel: object(
    {
      branches: about(
        'Lists of steps, each of which is done beside the others.',
        list(STEPS, DEFINITION_LIMITS.branches),
      ),
      end: about('Goes on when all are over (the default), or when one is, and drops the others.', word('all', 'any')),
    },
    { required: ['branches'], about: 'Does several things at the same time.' },
  ),
  notify: object(
    {
      severity: about('How loud it is; `critical` is heard in quiet hours too.', word(...SEVERITIES)),
      title: about(
        'What happened, in a few words. `{device.name}`, `{trigger.value}`, `{trigger.unit}`, `{operand:NAME}` and `{at}` are replaced, here and in `text`.',
        text(200),
      ),
      text: about('The rest of the message; by default there is none.', text(2000)),
      to: about(
        'Who gets it: `user:ID`, `role:owner` or `channel:ID`; by default everyone but guests.',
        list({ kind: 'text', max: 80, pattern: /^(?:user|role|channel):[A-Za-z0-9_-]+$/, example: 'role:owner' }, 20),
      ),
      key: about('A name of the matter: a later message with the same key takes the place of the first.', text(64)),
      resolve_key: about('The matter with this key is over.', text(64)),
      repeat_s: about(
        'Seconds after which a critical one comes again until somebody acknowledges it; by default 300.',
        seconds(DAY_S, 60),
      ),
      operands: about('Values by the names under which `{operand:NAME}` finds them.', OPERANDS),
    },
    { required: ['severity', 'title'], about: 'Tells people something.' },
  ),
  request: object(
    {
      method: about('With `POST`, `json` is sent.', word('GET', 'POST')),
      url: about('The address, which must be in the local network.', {
        kind: 'text',
        max: 2048,
        pattern: /^https?:\/\/[^\s]+$/,
        example: 'http://printer.local/',
      }),
      json: about('The members of the object that is sent; by default there is no body.', OPERANDS),
      wait: about('The next step waits for the answer; by default it does not.', BOOLEAN),
    },
    { required: ['method', 'url'], about: 'Calls another program of the home.' },
  ),
  mode: object(
    {
      mode: about('The mode that is set.', reference('mode')),
      value: about('One of its values, such as `night`.', text(64)),
      ...ENDS,
    },
    { required: ['mode', 'value'], about: 'Sets a mode.' },
  ),
  variable: object(
    {
      variable: about('The variable of the home that is set.', reference('variable')),
      value: about('What it becomes.', OPERAND),
    },
    { required: ['variable', 'value'], about: 'Sets a variable of the home.' },
  ),
  presence_note: object(
    {
      person: about('The person about whom something is known now.', reference('person')),
      state: about('Where the person is.', word('home', 'away')),
    },
    { required: ['person', 'state'], about: 'Notes that somebody came or left.' },
  ),
  automation: object(
    {
      automation: about('The automation that is meant.', reference('automation')),
      do: about('`run` starts it, `stop` ends its runs.', word('enable', 'disable', 'run', 'stop')),
    },
    { required: ['automation', 'do'], about: 'Steers another automation.' },
  ),
  stop: object(
    {
      outcome: about('What the run is said to be.', word('finished', 'failed')),
      reason: about('Why, for those who read the trace of the run.', text(200)),
    },
    { required: ['outcome'], about: 'Ends the run.' },
  ),
};
