import type { BodyPart, CONDITION_SHAPES, STEP_SHAPES, TRIGGER_SHAPES } from '#web/client/rule-forms.ts';

type Kinds<Word extends string = string> = Readonly<Record<Word, readonly [name: string, note: string]>>;

const TRIGGERS: Kinds<keyof typeof TRIGGER_SHAPES> = {
  feature: ['A device does something', 'Motion, a door, a lamp, any value that changes'],
  threshold: ['A measurement rises or falls', 'Temperature, brightness, power'],
  occurrence: ['A button is pressed', 'On a remote or a switch'],
  time: ['A time of day', 'Every day, on some days, or again and again'],
  sun: ['Sunrise or sunset', 'Earlier or later, if you like'],
  hook: ['Another program calls', 'Over the network of the home'],
  mode: ['The mode changes', 'Home, away, night'],
  variable: ['A variable changes', 'A value that you keep in the hub'],
  presence: ['Somebody comes or leaves', 'One person, anybody, everybody'],
  availability: ['A device goes offline', 'Or comes back'],
  hub: ['Something happens to the hub', 'It starts, an update is there'],
  automation: ['Another automation ends', 'Or fails'],
};

const CONDITIONS: Kinds<keyof typeof CONDITION_SHAPES> = {
  feature: ['A device is …', 'A lamp is on, it is darker than 40 lx'],
  time: ['A time of day', 'Between two times, on some days'],
  sun: ['Day or night', 'By the sun'],
  presence: ['Somebody is at home', 'Or nobody'],
  mode: ['The mode is …', 'Home, away, night'],
  and: ['All conditions', 'Each of several must hold'],
  or: ['One of several', 'At least one must hold'],
  not: ['Not', 'A condition must not hold'],
  variable: ['A variable has some value', 'A value that you keep in the hub'],
  availability: ['A device is online or offline', 'Whether it can be reached'],
  trigger: ['What started it', 'One of the triggers above'],
  step: ['How a wait ended', 'In time, or in vain'],
  scene: ['A scene is active', 'As the devices report it'],
  run: ['Another automation runs', 'Right now'],
  compare: ['Two values compare', 'Also calculated ones'],
  changed: ['Something changed lately', 'By hand or by the hub'],
};

const STEPS: Kinds<keyof typeof STEP_SHAPES> = {
  command: ['Control devices', 'Turn on, dim, open, heat'],
  scene: ['Turn on a scene', 'Several devices at once'],
  delay: ['Wait', 'For a time, or until a time of day'],
  wait_for: ['Wait for something', 'Until something happens or is so'],
  notify: ['Send a message', 'To people of the home'],
  restore: ['Put back', 'As it was before this run'],
  choose: ['If … then … otherwise', 'One thing or another, by a condition'],
  repeat: ['Repeat', 'Some times, or while something is so'],
  parallel: ['Do at the same time', 'Several things beside each other'],
  mode: ['Change the mode', 'Home, away, night'],
  variable: ['Set a variable', 'A value that you keep in the hub'],
  presence_note: ['Note where somebody is', 'At home or away'],
  automation: ['Use another automation', 'Run, stop, switch on or off'],
  request: ['Call another program', 'In the network of the home'],
  stop: ['Stop', 'End here'],
};

export const ruleKinds: Readonly<Record<BodyPart, Kinds>> = { trigger: TRIGGERS, condition: CONDITIONS, step: STEPS };
