import type { JsonValue } from '#base/json.ts';
import type { Evidence, OperandSeen } from '#core/automation/view.ts';
import { englishOf } from '#core/automation-run/trace/run-reason.ts';
import { whyParts, whyTexts } from '#words/en/why.ts';
import { firstFilled, lengthIn, type Values } from '#words/texts.ts';
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

/** The English sentence for what was found. Pages make their own of its code and fields. */
export function sentenceOf({ code, fields }: WhyReason, words: Words): string {
  const sentence = firstFilled(whyTexts[code], holesOf(fields, words));
  return sentence.slice(0, 1).toUpperCase() + sentence.slice(1);
}

function holesOf(fields: WhyFields, words: Words): Partial<Values> {
  const { device, key, by, reason, conditions = [] } = fields;
  const of = device === undefined || key === undefined ? undefined : { device, key };
  const value = (one: JsonValue | undefined) => one !== undefined && words.valueText(one, of);
  const length = (ms: number | undefined) => ms !== undefined && ms > 0 && lengthIn('en', ms / 1_000);
  const time = (ms: number | undefined) => ms !== undefined && words.timeText(ms);
  return known({
    feature: of === undefined ? whyParts.value : (words.featureName(of.device, of.key) ?? whyParts.hidden),
    device: (device && words.deviceName(device)) ?? whyParts.hidden,
    value: value(fields.value),
    limit: value(fields.limit),
    rearms_at: value(fields.rearmsAt),
    by: by !== undefined && MOVERS[by],
    reason: reason !== undefined && englishOf(reason),
    late: length(fields.lateMs),
    after: length(fields.afterMs),
    of: length(fields.ofMs),
    from: time(fields.fromMs),
    to: time(fields.toMs),
    conditions: conditionsText(conditions, words),
  });
}

/** Without what is not known. */
function known(values: Readonly<Record<string, string | false | undefined>>): Partial<Values> {
  const found = Object.entries(values).filter(([, value]) => value !== false && value !== undefined && value !== '');
  return Object.fromEntries(found) as Values;
}

const MOVERS: Readonly<Record<string, string>> = { hand: whyParts.hand, hub: whyParts.hub, other: whyParts.other };
const MOST_CONDITIONS = 3;

function conditionsText(conditions: readonly Evidence[], words: Words): string {
  const seen = conditions.flatMap(({ operands }) => operands);
  const texts = [...new Set(seen.map((one) => operandText(one, words)))];
  return [...texts.slice(0, MOST_CONDITIONS), ...(texts.length > MOST_CONDITIONS ? ['…'] : [])].join(', ');
}

function operandText(seen: OperandSeen, words: Words): string {
  const { featureName, valueText } = words;
  const isFeature = 'device' in seen;
  const name = isFeature ? (featureName(seen.device, seen.key) ?? whyParts.hidden) : ownName(seen.name, words);
  if (seen.unknown !== null) return `${name} was unknown (${seen.unknown.replaceAll('_', ' ')})`;
  if (!isFeature && seen.name === 'clock' && typeof seen.value === 'number') {
    return `${name} was ${new Date(seen.value * 1000).toISOString().slice(11, 16)}`;
  }
  return `${name} was ${valueText(seen.value, isFeature ? seen : undefined)}`;
}

/** A trace names some things by an id, which people do not know. */
function ownName(name: string, { deviceName }: Words): string {
  const [kind = '', id = ''] = name.split('/');
  if (kind === 'availability') return deviceName(id) ?? whyParts.hidden;
  return OWN_NAMES[name] ?? OWN_NAMES[kind] ?? name.replace('/', ' ');
}

/** The hub sees these beside the values of the home; the clock as seconds of the day. */
const OWN_NAMES: Readonly<Record<string, string>> = {
  clock: whyParts.clock,
  'sun/elevation': whyParts.sun_elevation,
  'trigger/id': whyParts.trigger_id,
  trigger: whyParts.trigger_value,
  step: whyParts.wait,
};
