import type { JsonValue } from '#base/json.ts';
import type { Evidence, OperandSeen } from '#core/automation/view.ts';
import type { WhyReason, WhyFields } from './verdict.ts';

/** A sentence is made of these words. `undefined` stands for what its reader may not see. */
export type Words = {
  /** `Hall lux illuminance`. */
  readonly featureName: (device: string, key: string) => string | undefined;
  readonly deviceName: (device: string) => string | undefined;
  /** With its unit. */
  readonly valueText: (value: JsonValue | undefined, of?: { readonly device: string; readonly key: string }) => string;
  readonly timeText: (atMs: number) => string;
};

const HIDDEN = 'a device that you may not see';

/** The English sentence for what was found. Pages make their own of its code and fields. */
export function sentenceOf({ code, fields }: WhyReason, words: Words): string {
  const { device, key, value, limit } = fields;
  const of = device === undefined || key === undefined ? undefined : { device, key };
  const feature = of === undefined ? 'a value' : (words.featureName(of.device, of.key) ?? HIDDEN);
  const text = (one: JsonValue | undefined): string => words.valueText(one, of);
  switch (code) {
    case 'ran':
      return `It ran${lateText(fields)}.`;
    case 'running':
      return `It began${lateText(fields)} and goes on.`;
    case 'ended_badly':
      return `It ran and ended as ${fields.outcome}${fields.reason === undefined ? '' : `: ${fields.reason}`}.`;
    case 'yielded_to_hand':
      return 'It ran and sent nothing, because somebody had moved everything by hand.';
    case 'not_met':
      return `Its trigger happened, but ${conditionsText(fields, words)}.`;
    case 'condition_unknown':
      return `Its trigger happened, but nobody knew whether its conditions held: ${conditionsText(fields, words)}.`;
    case 'busy':
      return 'Its trigger happened while an earlier run of it went on.';
    case 'queue_full':
      return 'Its trigger happened, but its queue was full.';
    case 'too_many_runs':
      return 'Its trigger happened, but too many automations ran at that moment.';
    case 'loop':
      return 'Its trigger happened, but automations had started each other in a circle.';
    case 'tripped':
      return 'It was stopped for a while, because it had started too often.';
    case 'disabled':
      return 'It was disabled.';
    case 'suspended':
      return `It was suspended${fields.reason === undefined ? '' : ` (${fields.reason})`}: somebody with the rights must sign it.`;
    case 'broken':
      return 'It was broken: something that it names is gone, or of another kind.';
    case 'clock_unset':
      return 'Its time may have come, but the hub did not know what time it was.';
    case 'missed':
      return `Its time was noticed ${durationText(fields.lateMs ?? 0)} late, which was too late to run.`;
    case 'hub_off':
      return `The hub was off${spanText(fields, words)}.`;
    case 'device_offline':
      return `${nameOf(fields, words)} could not be reached${spanText(fields, words)}.`;
    case 'not_crossed':
      return `${capital(feature)} was ${text(value)} at the nearest; the limit is ${text(limit)}.`;
    case 'not_armed':
      return `${capital(feature)} was ${text(value)}, but had not been back at ${text(fields.rearmsAt)} since the last time.`;
    case 'for_cancelled':
      return `${capital(feature)} was so for ${durationText(fields.afterMs ?? 0)} of the ${durationText(fields.ofMs ?? 0)} that it needs.`;
    case 'from_was':
      return `${capital(feature)} changed, but it had been ${text(value)} before.`;
    case 'value_is':
      return `${capital(feature)} changed to ${text(value)}, which is not what the trigger waits for.`;
    case 'moved_by':
      return `${capital(feature)} changed, but by ${MOVERS[fields.by ?? ''] ?? 'something else'}, for which the trigger does not wait.`;
    case 'first_value':
      return `${capital(feature)} had no value before, so its first one was no change.`;
    case 'value_unknown':
      return `Nobody knew what ${feature} was.`;
    case 'not_all':
      return 'Not all that the trigger watches were so.';
    case 'never_was':
      return `${capital(feature)} was never ${text(limit)}${value === undefined ? '' : `; it was ${text(value)}`}.`;
    case 'nothing_happened':
      return 'Nothing happened for which its triggers wait.';
    case 'not_there_yet':
      return 'It did not exist yet.';
    case 'nothing_kept':
      return 'Nothing is kept of that time.';
    default:
      return code satisfies never;
  }
}

const MOVERS: Readonly<Record<string, string>> = { hand: 'a hand', hub: 'the hub', other: 'another automation' };

function nameOf({ device }: WhyFields, { deviceName }: Words): string {
  return capital((device === undefined ? undefined : deviceName(device)) ?? HIDDEN);
}

function lateText({ lateMs = 0 }: WhyFields): string {
  return lateMs > 0 ? `, ${durationText(lateMs)} late` : '';
}

function spanText({ fromMs, toMs }: WhyFields, { timeText }: Words): string {
  if (fromMs === undefined) return '';
  return toMs === undefined ? ` since ${timeText(fromMs)}` : ` from ${timeText(fromMs)} to ${timeText(toMs)}`;
}

const MOST_CONDITIONS = 3;

function conditionsText({ conditions = [] }: WhyFields, words: Words): string {
  const seen = conditions.flatMap(({ operands }: Evidence) => operands);
  const texts = [...new Set(seen.map((one) => operandText(one, words)))];
  if (texts.length === 0) return 'its conditions did not hold';
  const more = texts.length > MOST_CONDITIONS ? ', and more' : '';
  return texts.slice(0, MOST_CONDITIONS).join(', ') + more;
}

function operandText(seen: OperandSeen, { featureName, valueText }: Words): string {
  const isFeature = 'device' in seen;
  const name = isFeature ? (featureName(seen.device, seen.key) ?? HIDDEN) : seen.name.replace('/', ' ');
  if (seen.unknown !== null) return `${name} was unknown (${seen.unknown.replaceAll('_', ' ')})`;
  return `${name} was ${valueText(seen.value, isFeature ? seen : undefined)}`;
}

const UNITS = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
] as const;

function durationText(ms: number): string {
  const [unitMs, name] = UNITS.find(([least]) => ms >= least * 2) ?? [1_000, 's'];
  return `${Math.round(ms / unitMs)} ${name}`;
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
