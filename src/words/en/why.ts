/** Why an automation ran or did not, by its code. Of several texts the first one counts whose holes are all known. */
export const whyTexts = {
  ran: ['It ran, {late} late.', 'It ran.'],
  running: ['It began, {late} late, and goes on.', 'It began and goes on.'],
  ended_badly: ['It ran, but not to its end: {reason}.', 'It ran, but not to its end.'],
  yielded_to_hand: ['It ran and sent nothing, because somebody had moved everything by hand.'],
  not_met: [
    'Its trigger happened, but its conditions did not hold: {conditions}.',
    'Its trigger happened, but its conditions did not hold.',
  ],
  condition_unknown: [
    'Its trigger happened, but nobody knew whether its conditions held: {conditions}.',
    'Its trigger happened, but nobody knew whether its conditions held.',
  ],
  busy: ['Its trigger happened while an earlier run of it went on.'],
  queue_full: ['Its trigger happened, but its queue was full.'],
  too_many_runs: ['Its trigger happened, but too many automations ran at that moment.'],
  loop: ['Its trigger happened, but automations had started each other in a circle.'],
  tripped: ['It was stopped for a while, because it had started too often.'],
  disabled: ['It was switched off.'],
  suspended: [
    'It was suspended, because {reason}: somebody with the rights must sign it.',
    'It was suspended: somebody with the rights must sign it.',
  ],
  broken: ['It was broken: something that it names is gone, or of another kind.'],
  clock_unset: ['Its time may have come, but the hub did not know what time it was.'],
  missed: ['Its time was noticed {late} late, which was too late to run.', 'Its time was noticed too late to run.'],
  hub_off: ['The hub was off from {from} to {to}.', 'The hub was off.'],
  device_offline: ['{device} could not be reached from {from} to {to}.', '{device} could not be reached.'],
  not_crossed: ['{feature} was {value} at the nearest; the limit is {limit}.', '{feature} did not pass its limit.'],
  not_armed: [
    '{feature} was {value}, but had not been back at {rearms_at} since the last time.',
    '{feature} had not been back since the last time.',
  ],
  for_cancelled: ['{feature} was so for {after} of the {of} that it needs.', '{feature} was not so for long enough.'],
  from_was: [
    '{feature} changed, but it had been {value} before.',
    '{feature} changed, but it had been something else before.',
  ],
  value_is: [
    '{feature} changed to {value}, which is not what the trigger waits for.',
    '{feature} changed to something for which the trigger does not wait.',
  ],
  moved_by: [
    '{feature} changed, but by {by}, for which the trigger does not wait.',
    '{feature} changed, but by something for which the trigger does not wait.',
  ],
  first_value: ['{feature} had no value before, so its first one was no change.'],
  value_unknown: ['Nobody knew what {feature} was.'],
  not_all: ['Not all that the trigger watches were so.'],
  never_was: [
    '{feature} was never {limit}; it was {value}.',
    '{feature} was never {limit}.',
    '{feature} was never so.',
  ],
  nothing_happened: ['Nothing happened for which its triggers wait.'],
  not_there_yet: ['It did not exist yet.'],
  nothing_kept: ['Nothing is kept of that time.'],
} as const;

/** These stand in the holes of the texts above where nothing has a name of its own. */
export const whyParts = {
  value: 'a value',
  hand: 'a hand',
  hub: 'the hub',
  other: 'another automation',
  hidden: 'a device that you may not see',
  clock: 'the time',
  sun_elevation: 'the height of the sun',
  trigger_id: 'the trigger',
  running: 'running',
  not_running: 'not running',
  wait: 'the wait',
  trigger_value: 'the value that started it',
  result: 'the result',
  hook: 'a call from another program',
  gone: 'something that is gone',
} as const;
