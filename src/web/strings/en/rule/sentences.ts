import { sunTimes } from '#web/strings/rule/sun-times.ts';

const SUN_TIMES = sunTimes({
  between: (from, to) => `it is between ${from} and ${to}`,
  after: (from) => `it is after ${from}`,
  before: (to) => `it is before ${to}`,
});

/**
 * How each part of an automation is said. `{name}` is the hole of a member; what stands in `[a|b]` is said if its
 * members are there: of several, the first.
 */
export const ruleSays = {
  'trigger.feature':
    '[{all}] [{device}|{group}|{any_of}] [{does}|{key}] [{said}|goes from {from} to {to}|becomes {to}|is no longer {from}|changes] [and stays so for {for_s}] [, silences of up to {grace_s} aside] [, {by}] [, {assumed}]',
  'trigger.threshold':
    '[{device}|{group}|{any_of}] [{key}] [comes between {above} and {below}|rises above {above}|falls below {below}] [changes by {change}] [, give or take {hysteresis}] [and stays so for {for_s}] [, silences of up to {grace_s} aside] [, not again within {again_after_s}]',
  'trigger.occurrence':
    '[{device}|{group}|{any_of}] [{key}] [is {action}|sends {raw}|is used] [with the message {raw}] [, {count} times]',
  'trigger.time':
    '[it is {at}|the schedule {cron} says so|{every_s} have passed again] [since {anchor}] [on {days}] [on {dates}] [, but not on {except_dates}] [, {missed}] [, {when_clock_unset}]',
  'trigger.sun':
    '[{moment}|it is {offset_s} {event}|it is {event}] [of {elevation_deg}] [, {rising}] [, not before {not_before}] [, {not_after} at the latest] [on {days}] [, on days without it {if_none}] [, {missed}] [, {when_clock_unset}]',
  'trigger.hook': 'another program calls its hook [with a body like {accepts}]',
  'trigger.mode':
    '{mode} [goes from {from} to {to}|becomes {to}|is no longer {from}|changes] [and stays so for {for_s}] [, silences of up to {grace_s} aside]',
  'trigger.variable':
    '{variable} [goes from {from} to {to}|becomes {to}|is no longer {from}|changes] [and stays so for {for_s}] [, silences of up to {grace_s} aside]',
  'trigger.presence': '{person} {to} [and stays so for {for_s}] [, silences of up to {grace_s} aside]',
  'trigger.availability':
    '[{device}|{group}|{any_of}|{integration}] {to} [and stays so for {for_s}] [, silences of up to {grace_s} aside]',
  'trigger.hub': '{on} [: {integration}]',
  'trigger.automation': '{automation} {outcome}',

  'condition.feature':
    '{device} [{does}|{key}] [{said}|is between {between}|is not {is_not}|is above {above}|is below {below}|is {is}] [for {for_s}] [, {accept_restored}]',
  'condition.time': 'it is [between {after} and {before}|after {after}|before {before}] [on {days}]',
  'condition.sun': `[${SUN_TIMES}] [, the sun is above {above}] [, the sun is below {below}]`,
  'condition.presence': '{person} is {is}',
  'condition.variable': '{variable} [is between {between}|is not {is_not}|is above {above}|is below {below}|is {is}]',
  'condition.availability': '{device} is {is}',
  'condition.trigger': 'it was started by {id}',
  'condition.step': 'the wait {id} {timed_out}',
  'condition.scene': 'the scene {scene} is {is}',
  'condition.run': '{automation} is {is}',
  'condition.compare': '{left} {op} {right}',
  'condition.changed': '{device} {key} changed within {within_s} [, {by}]',
  condition_beside: '[(if unknown: {if_unknown})]',

  'step.command':
    '[{turn} {targets} with {rest}|{turn} {targets}|set {targets} to {set}|let {targets} do {do}] [over {transition_ms}] [, {wait}] [, within {expires_in}] [, {retry}] [, {on_failure}] [, {skip_if_same}]',
  'step.scene':
    'turn on the scene {scene} [over {transition_ms}] [, {wait}] [, within {expires_in}] [, {retry}] [, {on_failure}] [, {skip_if_same}]',
  'step.restore': 'put back [{since}|what this run changed]',
  'step.delay': 'wait [{s}|until {until}] [, but go on at most {late_max_s} late]',
  'step.wait_for': 'wait at most {timeout_s} [, {then}] [, but go on at most {late_max_s} late]',
  'step.choose': 'depending on the case',
  'step.repeat': 'repeat [{times} times] [for each {for_each}] , at most {max} rounds',
  'step.parallel': 'do at the same time [, until {end}]',
  'step.notify':
    'send “{title}” [to {to}] as {severity} [with the text “{text}”] [, again every {repeat_s}] [, known as {key}] [, ending {resolve_key}] [, with {operands}]',
  'step.request': 'call {url} with {method} [and {json}] [, {wait}]',
  'step.mode': 'set {mode} to {value} [for {for_s}] [until {until}]',
  'step.variable': 'set {variable} to {value}',
  'step.presence_note': 'note that {person} is {state}',
  'step.automation': '{do} {automation}',
  'step.stop': 'stop as {outcome} [: {reason}]',

  selection: 'any device [with {capability}] [of the kind {type}] [in {room}] [but {except}]',
  targets: '[{devices}] [, {group}] [, all in {room}] [, {any_of}] [, {trigger}]',
  change: '{by} within {within_s}',
  late: 'if missed, up to {run_late_s} late',
  time_of: 'the time in {variable}',
  retry: 'tried again {times} times after {after_s}',
  modes: '{modes}',
  each: '{variable} of {in}',
  run_mode: '{kind} [, at most {max}]',

  'operand.feature': '{device} {key}',
  'operand.history': '{fn} {device} {key} over {over_s} [, as it was {ago_s} ago]',
  /** These operations have a fixed number of values. */
  'operand.round': '{0} rounded to {1} digits',
  'operand.clamp': '{0}, but from {1} to {2}',
  'operand.map': '{0}, moved from {1} … {2} to {3} … {4}',
  'operand.if': '{1} if {0}, else {2}',
};

type Join = readonly [before: string, between: string];

export const ruleJoins: Readonly<Record<string, Join>> = {
  add: ['', ' + '],
  sub: ['', ' − '],
  mul: ['', ' × '],
  div: ['', ' ÷ '],
  min: ['the least of ', ', '],
  max: ['the greatest of ', ', '],
  coalesce: ['the first known of ', ', '],
};

type Verbs = readonly [becomesTrue: string, becomesFalse: string, isTrue: string, isFalse: string];

export const ruleVerbs: Readonly<Record<string, Verbs>> = {
  on: ['turns on', 'turns off', 'is on', 'is off'],
  motion: ['sees motion', 'sees no motion any more', 'sees motion', 'sees no motion'],
  presence: ['sees somebody', 'sees nobody any more', 'sees somebody', 'sees nobody'],
  open: ['opens', 'closes', 'is open', 'is closed'],
  valve_open: ['opens', 'closes', 'is open', 'is closed'],
  water_leak: ['becomes wet', 'becomes dry', 'is wet', 'is dry'],
  smoke: ['smells smoke', 'smells no smoke any more', 'smells smoke', 'smells no smoke'],
  co_alarm: ['smells carbon monoxide', 'smells no carbon monoxide any more', 'smells carbon monoxide', 'is quiet'],
  gas_leak: ['smells gas', 'smells no gas any more', 'smells gas', 'smells no gas'],
  locked: ['is locked', 'is unlocked', 'is locked', 'is unlocked'],
};
