// Made from the shapes of the documents of automations by `npm run openapi`. Do not edit.
/* oxlint-disable unicorn/no-thenable */

/** A reference leads to one of these. */
export type ReferenceKind = 'device' | 'group' | 'room' | 'scene' | 'automation' | 'person' | 'mode' | 'variable' | 'integration';
export type BodyPart = 'trigger' | 'condition' | 'step';
/** One thing that can be filled in. */
export type Shape =
  | { readonly kind: 'boolean' | 'json' | 'operand' }
  | { readonly kind: 'number'; readonly min: number; readonly max: number }
  | { readonly kind: 'text'; readonly max: number }
  | { readonly kind: 'word'; readonly words: readonly string[] }
  | { readonly kind: 'reference'; readonly to: ReferenceKind; readonly words: readonly string[] }
  /** `some`: one, or a list of several. */
  | { readonly kind: 'list' | 'record' | 'some'; readonly of: Shape }
  | { readonly kind: 'tuple'; readonly of: readonly Shape[] }
  | { readonly kind: 'form'; readonly form: FormShape }
  | { readonly kind: 'either'; readonly form: FormShape; readonly other: Shape }
  | { readonly kind: 'body'; readonly part: BodyPart };
export type FormShape = {
  readonly members: Readonly<Record<string, Shape>>;
  readonly required: readonly string[];
  /** Exactly one of each list. */
  readonly one: readonly (readonly string[])[];
  /** At least one of the list. */
  readonly some: readonly string[];
};

const SHARED_1 = { kind: 'list', of: { kind: 'reference', to: 'device', words: [] } } as const;

const SHARED_2 = { kind: 'form', form: { members: { room: { kind: 'reference', to: 'room', words: [] }, capability: { kind: 'text', max: 128 }, type: { kind: 'word', words: ['on_off_light', 'dimmable_light', 'color_temperature_light', 'extended_color_light', 'on_off_plug_in_unit', 'window_covering', 'door_lock', 'thermostat', 'fan', 'contact_sensor', 'occupancy_sensor', 'temperature_sensor', 'humidity_sensor', 'light_sensor', 'water_leak_detector', 'smoke_co_alarm', 'air_quality_sensor', 'generic_switch', 'water_valve', 'electrical_sensor', 'siren', 'other'] }, except: SHARED_1 }, required: [], one: [], some: ['room', 'capability', 'type'] } } as const;

const SHARED_3 = { kind: 'either', form: { members: { run_late_s: { kind: 'number', min: 0, max: 604800 } }, required: ['run_late_s'], one: [], some: [] }, other: { kind: 'word', words: ['skip', 'always'] } } as const;

const SHARED_4 = { kind: 'list', of: { kind: 'word', words: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun', 'workday'] } } as const;

const SHARED_5 = { kind: 'reference', to: 'person', words: ['anyone', 'everyone'] } as const;

export const TRIGGER_SHAPES = {
  feature: { members: { device: { kind: 'reference', to: 'device', words: [] }, group: { kind: 'reference', to: 'group', words: [] }, any_of: SHARED_2, key: { kind: 'text', max: 256 }, to: { kind: 'json' }, from: { kind: 'json' }, for_s: { kind: 'number', min: 0, max: 2592000 }, grace_s: { kind: 'number', min: 0, max: 86400 }, by: { kind: 'word', words: ['any', 'hand', 'hub', 'other'] }, all: { kind: 'boolean' }, assumed: { kind: 'boolean' } }, required: [], one: [['device', 'group', 'any_of']], some: [] },
  threshold: { members: { device: { kind: 'reference', to: 'device', words: [] }, group: { kind: 'reference', to: 'group', words: [] }, any_of: SHARED_2, key: { kind: 'text', max: 256 }, above: { kind: 'operand' }, below: { kind: 'operand' }, hysteresis: { kind: 'number', min: 0, max: 1000000000000000 }, for_s: { kind: 'number', min: 0, max: 2592000 }, grace_s: { kind: 'number', min: 0, max: 86400 }, again_after_s: { kind: 'number', min: 1, max: 604800 }, change: { kind: 'form', form: { members: { by: { kind: 'number', min: -1000000000000000, max: 1000000000000000 }, within_s: { kind: 'number', min: 1, max: 86400 } }, required: ['by', 'within_s'], one: [], some: [] } } }, required: [], one: [['device', 'group', 'any_of']], some: ['above', 'below', 'change'] },
  occurrence: { members: { device: { kind: 'reference', to: 'device', words: [] }, group: { kind: 'reference', to: 'group', words: [] }, any_of: SHARED_2, key: { kind: 'text', max: 256 }, action: { kind: 'some', of: { kind: 'text', max: 256 } }, count: { kind: 'number', min: 1, max: 100 }, raw: { kind: 'text', max: 256 } }, required: [], one: [['device', 'group', 'any_of']], some: [] },
  time: { members: { at: { kind: 'either', form: { members: { variable: { kind: 'reference', to: 'variable', words: [] } }, required: ['variable'], one: [], some: [] }, other: { kind: 'some', of: { kind: 'text', max: 8 } } }, cron: { kind: 'text', max: 128 }, every_s: { kind: 'number', min: 5, max: 2678400 }, anchor: { kind: 'text', max: 32 }, missed: SHARED_3, when_clock_unset: { kind: 'word', words: ['wait', 'go_by_last'] }, days: SHARED_4, dates: { kind: 'list', of: { kind: 'text', max: 23 } }, except_dates: { kind: 'list', of: { kind: 'text', max: 23 } } }, required: [], one: [['at', 'cron', 'every_s']], some: [] },
  sun: { members: { event: { kind: 'word', words: ['sunrise', 'sunset', 'dawn', 'dusk', 'noon', 'elevation'] }, elevation_deg: { kind: 'number', min: -90, max: 90 }, rising: { kind: 'boolean' }, offset_s: { kind: 'number', min: -21600, max: 21600 }, not_before: { kind: 'text', max: 8 }, not_after: { kind: 'text', max: 8 }, if_none: { kind: 'text', max: 8 }, missed: SHARED_3, when_clock_unset: { kind: 'word', words: ['wait', 'go_by_last'] }, days: SHARED_4 }, required: ['event'], one: [], some: [] },
  hook: { members: { accepts: { kind: 'json' } }, required: [], one: [], some: [] },
  mode: { members: { mode: { kind: 'reference', to: 'mode', words: [] }, to: { kind: 'json' }, from: { kind: 'json' }, for_s: { kind: 'number', min: 0, max: 2592000 }, grace_s: { kind: 'number', min: 0, max: 86400 } }, required: ['mode'], one: [], some: [] },
  variable: { members: { variable: { kind: 'reference', to: 'variable', words: [] }, to: { kind: 'json' }, from: { kind: 'json' }, for_s: { kind: 'number', min: 0, max: 2592000 }, grace_s: { kind: 'number', min: 0, max: 86400 } }, required: ['variable'], one: [], some: [] },
  presence: { members: { person: SHARED_5, to: { kind: 'word', words: ['home', 'away'] }, for_s: { kind: 'number', min: 0, max: 2592000 }, grace_s: { kind: 'number', min: 0, max: 86400 } }, required: ['person', 'to'], one: [], some: [] },
  availability: { members: { device: { kind: 'reference', to: 'device', words: [] }, group: { kind: 'reference', to: 'group', words: [] }, any_of: SHARED_2, integration: { kind: 'reference', to: 'integration', words: [] }, to: { kind: 'word', words: ['offline', 'online'] }, for_s: { kind: 'number', min: 0, max: 2592000 }, grace_s: { kind: 'number', min: 0, max: 86400 } }, required: ['to'], one: [['device', 'group', 'any_of', 'integration']], some: [] },
  hub: { members: { on: { kind: 'word', words: ['started', 'clock_set', 'integration_up', 'update'] }, integration: { kind: 'reference', to: 'integration', words: [] } }, required: ['on'], one: [], some: [] },
  automation: { members: { automation: { kind: 'reference', to: 'automation', words: [] }, outcome: { kind: 'word', words: ['failed', 'finished', 'tripped'] } }, required: ['automation', 'outcome'], one: [], some: [] },
} as const;

const SHARED_6 = { kind: 'tuple', of: [{ kind: 'operand' }, { kind: 'operand' }] } as const;

const SHARED_7 = { kind: 'word', words: ['sunrise', 'sunset', 'dawn', 'dusk', 'noon'] } as const;

export const CONDITION_SHAPES = {
  and: { kind: 'list', of: { kind: 'body', part: 'condition' } },
  or: { kind: 'list', of: { kind: 'body', part: 'condition' } },
  not: { kind: 'body', part: 'condition' },
  feature: { kind: 'form', form: { members: { device: { kind: 'reference', to: 'device', words: [] }, key: { kind: 'text', max: 256 }, is: { kind: 'operand' }, is_not: { kind: 'operand' }, above: { kind: 'operand' }, below: { kind: 'operand' }, between: SHARED_6, for_s: { kind: 'number', min: 0, max: 2592000 }, accept_restored: { kind: 'boolean' } }, required: ['device', 'key'], one: [['is', 'is_not', 'above', 'below', 'between']], some: [] } },
  time: { kind: 'form', form: { members: { after: { kind: 'text', max: 8 }, before: { kind: 'text', max: 8 }, days: SHARED_4 }, required: [], one: [], some: ['after', 'before', 'days'] } },
  sun: { kind: 'form', form: { members: { above: { kind: 'operand' }, below: { kind: 'operand' }, after: SHARED_7, offset_s: { kind: 'number', min: -21600, max: 21600 }, before: SHARED_7, before_offset_s: { kind: 'number', min: -21600, max: 21600 } }, required: [], one: [], some: ['above', 'below', 'after', 'before'] } },
  mode: { kind: 'record', of: { kind: 'some', of: { kind: 'text', max: 64 } } },
  presence: { kind: 'form', form: { members: { person: SHARED_5, is: { kind: 'word', words: ['home', 'away'] } }, required: ['person', 'is'], one: [], some: [] } },
  variable: { kind: 'form', form: { members: { variable: { kind: 'text', max: 64 }, is: { kind: 'operand' }, is_not: { kind: 'operand' }, above: { kind: 'operand' }, below: { kind: 'operand' }, between: SHARED_6 }, required: ['variable'], one: [['is', 'is_not', 'above', 'below', 'between']], some: [] } },
  availability: { kind: 'form', form: { members: { device: { kind: 'reference', to: 'device', words: [] }, is: { kind: 'word', words: ['online', 'offline', 'asleep', 'unknown'] } }, required: ['device', 'is'], one: [], some: [] } },
  trigger: { kind: 'form', form: { members: { id: { kind: 'some', of: { kind: 'text', max: 32 } } }, required: ['id'], one: [], some: [] } },
  step: { kind: 'form', form: { members: { id: { kind: 'text', max: 32 }, timed_out: { kind: 'boolean' } }, required: ['id', 'timed_out'], one: [], some: [] } },
  scene: { kind: 'form', form: { members: { scene: { kind: 'reference', to: 'scene', words: [] }, is: { kind: 'word', words: ['active', 'partly', 'inactive'] } }, required: ['scene', 'is'], one: [], some: [] } },
  run: { kind: 'form', form: { members: { automation: { kind: 'reference', to: 'automation', words: [] }, is: { kind: 'word', words: ['running'] } }, required: ['automation', 'is'], one: [], some: [] } },
  compare: { kind: 'form', form: { members: { left: { kind: 'operand' }, op: { kind: 'word', words: ['eq', 'ne', 'lt', 'le', 'gt', 'ge'] }, right: { kind: 'operand' } }, required: ['left', 'op', 'right'], one: [], some: [] } },
  changed: { kind: 'form', form: { members: { device: { kind: 'reference', to: 'device', words: [] }, key: { kind: 'text', max: 256 }, within_s: { kind: 'number', min: 0, max: 2592000 }, by: { kind: 'word', words: ['any', 'hand', 'hub', 'other'] } }, required: ['device', 'key', 'within_s'], one: [], some: [] } },
} as const;

export const BESIDE_CONDITION_SHAPES = { if_unknown: { kind: 'boolean' } } as const;

const SHARED_8 = { kind: 'form', form: { members: { times: { kind: 'number', min: 1, max: 5 }, after_s: { kind: 'number', min: 0, max: 3600 } }, required: ['times', 'after_s'], one: [], some: [] } } as const;

export const STEP_SHAPES = {
  command: { kind: 'form', form: { members: { targets: { kind: 'form', form: { members: { devices: SHARED_1, group: { kind: 'reference', to: 'group', words: [] }, room: { kind: 'reference', to: 'room', words: [] }, any_of: SHARED_2, trigger: { kind: 'word', words: ['device'] } }, required: [], one: [], some: ['devices', 'group', 'room', 'any_of', 'trigger'] } }, set: { kind: 'record', of: { kind: 'operand' } }, do: { kind: 'text', max: 256 }, transition_ms: { kind: 'number', min: 0, max: 3600000 }, expires_in: { kind: 'number', min: 1, max: 3600 }, wait: { kind: 'word', words: ['none', 'sent', 'finished'] }, retry: SHARED_8, on_failure: { kind: 'word', words: ['continue', 'stop'] }, skip_if_same: { kind: 'boolean' } }, required: ['targets'], one: [['set', 'do']], some: [] } },
  scene: { kind: 'form', form: { members: { scene: { kind: 'reference', to: 'scene', words: [] }, transition_ms: { kind: 'number', min: 0, max: 3600000 }, expires_in: { kind: 'number', min: 1, max: 3600 }, wait: { kind: 'word', words: ['none', 'sent', 'finished'] }, retry: SHARED_8, on_failure: { kind: 'word', words: ['continue', 'stop'] }, skip_if_same: { kind: 'boolean' } }, required: ['scene'], one: [], some: [] } },
  restore: { kind: 'form', form: { members: { since: { kind: 'word', words: ['run', 'trigger'] } }, required: [], one: [], some: [] } },
  delay: { kind: 'form', form: { members: { s: { kind: 'operand' }, until: { kind: 'text', max: 8 }, late_max_s: { kind: 'number', min: 0, max: 2678400 } }, required: [], one: [['s', 'until']], some: [] } },
  wait_for: { kind: 'form', form: { members: { triggers: { kind: 'list', of: { kind: 'body', part: 'trigger' } }, condition: { kind: 'body', part: 'condition' }, timeout_s: { kind: 'number', min: 1, max: 604800 }, then: { kind: 'word', words: ['continue', 'stop'] }, late_max_s: { kind: 'number', min: 0, max: 2678400 } }, required: ['timeout_s'], one: [['triggers', 'condition']], some: [] } },
  choose: { kind: 'form', form: { members: { cases: { kind: 'list', of: { kind: 'form', form: { members: { if: { kind: 'body', part: 'condition' }, then: { kind: 'list', of: { kind: 'body', part: 'step' } } }, required: ['if', 'then'], one: [], some: [] } } }, else: { kind: 'list', of: { kind: 'body', part: 'step' } } }, required: ['cases'], one: [], some: [] } },
  repeat: { kind: 'form', form: { members: { times: { kind: 'operand' }, while: { kind: 'body', part: 'condition' }, until: { kind: 'body', part: 'condition' }, for_each: { kind: 'form', form: { members: { variable: { kind: 'text', max: 32 }, in: { kind: 'list', of: { kind: 'operand' } } }, required: ['variable', 'in'], one: [], some: [] } }, max: { kind: 'number', min: 1, max: 1000 }, steps: { kind: 'list', of: { kind: 'body', part: 'step' } } }, required: ['max', 'steps'], one: [['times', 'while', 'until', 'for_each']], some: [] } },
  parallel: { kind: 'form', form: { members: { branches: { kind: 'list', of: { kind: 'list', of: { kind: 'body', part: 'step' } } }, end: { kind: 'word', words: ['all', 'any'] } }, required: ['branches'], one: [], some: [] } },
  notify: { kind: 'form', form: { members: { severity: { kind: 'word', words: ['info', 'warning', 'critical'] }, title: { kind: 'text', max: 200 }, text: { kind: 'text', max: 2000 }, to: { kind: 'list', of: { kind: 'text', max: 80 } }, key: { kind: 'text', max: 64 }, resolve_key: { kind: 'text', max: 64 }, repeat_s: { kind: 'number', min: 60, max: 86400 }, operands: { kind: 'record', of: { kind: 'operand' } } }, required: ['severity', 'title'], one: [], some: [] } },
  request: { kind: 'form', form: { members: { method: { kind: 'word', words: ['GET', 'POST'] }, url: { kind: 'text', max: 2048 }, json: { kind: 'record', of: { kind: 'operand' } }, wait: { kind: 'boolean' } }, required: ['method', 'url'], one: [], some: [] } },
  mode: { kind: 'form', form: { members: { mode: { kind: 'reference', to: 'mode', words: [] }, value: { kind: 'text', max: 64 }, for_s: { kind: 'number', min: 1, max: 2678400 }, until: { kind: 'text', max: 8 } }, required: ['mode', 'value'], one: [], some: [] } },
  variable: { kind: 'form', form: { members: { variable: { kind: 'reference', to: 'variable', words: [] }, value: { kind: 'operand' } }, required: ['variable', 'value'], one: [], some: [] } },
  presence_note: { kind: 'form', form: { members: { person: { kind: 'reference', to: 'person', words: [] }, state: { kind: 'word', words: ['home', 'away'] } }, required: ['person', 'state'], one: [], some: [] } },
  automation: { kind: 'form', form: { members: { automation: { kind: 'reference', to: 'automation', words: [] }, do: { kind: 'word', words: ['enable', 'disable', 'run', 'stop'] } }, required: ['automation', 'do'], one: [], some: [] } },
  stop: { kind: 'form', form: { members: { outcome: { kind: 'word', words: ['finished', 'failed'] }, reason: { kind: 'text', max: 200 } }, required: ['outcome'], one: [], some: [] } },
} as const;

export const OPERATION_SHAPES = {
  value: { kind: 'json' },
  feature: { kind: 'form', form: { members: { device: { kind: 'reference', to: 'device', words: [] }, key: { kind: 'text', max: 256 } }, required: ['device', 'key'], one: [], some: [] } },
  trigger: { kind: 'text', max: 256 },
  variable: { kind: 'text', max: 64 },
  sun: { kind: 'word', words: ['elevation'] },
  history: { kind: 'form', form: { members: { device: { kind: 'reference', to: 'device', words: [] }, key: { kind: 'text', max: 256 }, over_s: { kind: 'number', min: 1, max: 2678400 }, ago_s: { kind: 'number', min: 0, max: 2678400 }, fn: { kind: 'word', words: ['mean', 'min', 'max', 'increase', 'seconds_true'] } }, required: ['device', 'key', 'over_s', 'fn'], one: [], some: [] } },
  add: { kind: 'list', of: { kind: 'operand' } },
  sub: { kind: 'list', of: { kind: 'operand' } },
  mul: { kind: 'list', of: { kind: 'operand' } },
  div: { kind: 'list', of: { kind: 'operand' } },
  min: { kind: 'list', of: { kind: 'operand' } },
  max: { kind: 'list', of: { kind: 'operand' } },
  round: { kind: 'tuple', of: [{ kind: 'operand' }, { kind: 'number', min: 0, max: 9 }] },
  clamp: { kind: 'tuple', of: [{ kind: 'operand' }, { kind: 'operand' }, { kind: 'operand' }] },
  map: { kind: 'tuple', of: [{ kind: 'operand' }, { kind: 'operand' }, { kind: 'operand' }, { kind: 'operand' }, { kind: 'operand' }] },
  if: { kind: 'tuple', of: [{ kind: 'body', part: 'condition' }, { kind: 'operand' }, { kind: 'operand' }] },
  coalesce: { kind: 'list', of: { kind: 'operand' } },
} as const;

export const DEFINITION_SHAPE = {
  members: { mode: { kind: 'form', form: { members: { kind: { kind: 'word', words: ['single', 'restart', 'queued', 'parallel'] }, max: { kind: 'number', min: 1, max: 50 } }, required: ['kind'], one: [], some: [] } }, yield_to_hand_s: { kind: 'number', min: 0, max: 86400 }, release_on_mode: { kind: 'boolean' }, durable: { kind: 'word', words: ['auto', 'always'] }, on_broken: { kind: 'word', words: ['stop', 'run_rest'] }, limits: { kind: 'word', words: ['usual', 'high'] }, allow_sensitive: SHARED_1, variables: { kind: 'record', of: { kind: 'operand' } }, triggers: { kind: 'list', of: { kind: 'body', part: 'trigger' } }, conditions: { kind: 'list', of: { kind: 'body', part: 'condition' } }, steps: { kind: 'list', of: { kind: 'body', part: 'step' } } },
  required: ['triggers', 'steps'],
  one: [],
  some: [],
} as const;
