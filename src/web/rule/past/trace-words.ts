import type { AutomationDryRun, AutomationRun, ConditionEvidence, WhyLine } from '#web/client/api.ts';
import type { ReferenceKind } from '#web/client/rule-forms.ts';
import type { RuleHome } from '#web/rule/editor/rule-home.ts';
import { jsonWords, literalWords } from '#web/rule/sentence/hole-words.ts';
import { inside, isList, isObject, type Json, valueAt } from '#web/rule/sentence/json.ts';
import type { Look } from '#web/rule/sentence/look.ts';
import type { Line } from '#web/rule/sentence/sentence.ts';
import { lastOf } from '#web/since-2021.ts';
import { rulePast as pastWords } from '#web/strings/en/rule/past.ts';
import { lengthWords, listed } from '#web/strings/en/grammar.ts';
import { inEnglish } from '#web/strings/hub-text.ts';
import { reasonWords, unknownWords } from '#web/strings/rule/reason-words.ts';
import { rule as ruleWords } from '#web/strings/en/rule/rule.ts';
import { page as pageWords } from '#web/strings/en/page.ts';
import { digitWords, timeWords } from '#web/strings/formats.ts';
import { memberWord } from '#web/strings/rule/member-words.ts';
import { enumWords } from '#web/strings/value-words.ts';
import { localTime } from '#web/strings/hub-zone.ts';
import { whyParts, whyTexts } from '#words/en/why.ts';
import { firstFilled, type Values } from '#words/texts.ts';

export type Traced = {
  readonly run: AutomationRun;
  readonly definition: Json;
  readonly home: RuleHome;
  /** Absent for a run that happened. */
  readonly dryRun?: AutomationDryRun | undefined;
};
export type StepSeen = AutomationRun['steps'][number];
type Seen = ConditionEvidence['operands'][number];

type Mark = 'yes' | 'no' | 'unknown' | 'failed' | 'running' | 'none';

/** How one line went. */
export function markOf(line: Line, traced: Pick<Traced, 'run' | 'definition'>): Mark {
  const { run, definition } = traced;
  const { part, pointer } = line;
  if (part === 'trigger') {
    const node = valueAt(definition, pointer);
    return isObject(node) && node['id'] === run.trigger.id ? 'yes' : 'none';
  }
  if (part === 'condition') {
    const found = evidenceOf(run, line);
    if (found === undefined) return line.bodies.length === 0 ? 'none' : markOfGroup(line, traced);
    return found.result === 'unknown' ? 'unknown' : found.result === 'true' ? 'yes' : 'no';
  }
  const [last] = stepsOf(run, line).slice(-1);
  if (last === undefined) return 'none';
  if (last.outcome === 'failed') return 'failed';
  return last.outcome === 'running' ? 'running' : last.outcome === 'done' ? 'yes' : 'no';
}

/** The hub keeps what the conditions inside came to; those around them follow from that. */
function markOfGroup({ word, bodies }: Line, traced: Pick<Traced, 'run' | 'definition'>): Mark {
  const inner = new Set(bodies.flatMap(({ lines }) => lines).map((one) => markOf(one, traced)));
  const deciding: readonly Mark[] = word === 'or' ? ['yes', 'unknown', 'no'] : ['no', 'unknown', 'yes'];
  const mark = deciding.find((one) => inner.has(one)) ?? 'none';
  const opposite: Partial<Record<Mark, Mark>> = { yes: 'no', no: 'yes' };
  return word === 'not' ? (opposite[mark] ?? mark) : mark;
}

/** Finds what a condition saw: at the start, or the last time that a step looked at it. */
export function evidenceOf({ conditions, steps }: AutomationRun, line: Line): ConditionEvidence | undefined {
  const all = [...conditions, ...steps.flatMap((step) => step.conditions)];
  return lastOf(all.filter(({ pointer }) => isOf(line, pointer)));
}

export function stepsOf({ steps }: AutomationRun, line: Line): readonly StepSeen[] {
  return steps.filter(({ pointer }) => isOf(line, pointer));
}

/** A trace names a part with or without the word that says what it is. */
function isOf({ pointer, word }: Line, traced: string): boolean {
  return traced === pointer || traced === inside(pointer, word);
}

export function clockOf(at: string): string {
  return timeWords(at, 'clockWithSeconds');
}

/** `Hall lux illuminance: 31 lx`, with how sure the hub was. */
export function seenWords(seen: Seen, home: RuleHome): string {
  if (seen.hidden === true) return pastWords.hidden;
  const { device, key, name, value, unknown, quality } = seen;
  const { what, words } =
    typeof device === 'string'
      ? { what: featureWords(device, key, home), words: inWords(home.feature(device, key ?? '')) }
      : namedWords(name ?? '', home);
  if (unknown !== null) return pastWords.unknown(what, unknownWords(unknown));
  if (words === undefined) return what;
  const said = words((value ?? null) as Json);
  return quality === undefined || quality === 'confirmed' || quality === 'none'
    ? pastWords.value(what, said)
    : pastWords.valueAs(what, said, pastWords.qualities[quality] ?? quality);
}

type InWords = (value: Json) => string;
const inWords =
  (look: Look | undefined): InWords =>
  (value) =>
    literalWords(value, look);

/** `Hall lux illuminance`. */
function featureWords(device: string, key: string | undefined, home: RuleHome): string {
  const look = key === undefined ? undefined : home.feature(device, key);
  const feature = ruleWords.inside(look?.name ?? enumWords(key ?? ''));
  return [nameOrGone('device', device, home), feature].join(' ').trim();
}

const ID = /^[0-9a-f]{8}-/;

/** The name of what a trace refers to. One that is gone has at most its selector, and never its id. */
export function nameOrGone(to: ReferenceKind, reference: string, home: Pick<RuleHome, 'nameOf'>): string {
  return home.nameOf(to, reference) ?? (ID.test(reference) ? whyParts.gone : ruleWords.gone(reference));
}

/** A trace names by a path all that is no feature. Nothing is said of the value without `words`. */
function namedWords(name: string, home: RuleHome): { readonly what: string; readonly words?: InWords } {
  const [kind = '', id = '', key = '', fn = '', overS = ''] = name.split('/');
  const wordsOf =
    (say: string, member: string): InWords =>
    (value) =>
      listed((isList(value) ? value : [value]).map((one) => memberWord(say, member, jsonWords(one))));
  switch (kind) {
    case 'clock':
      // It is seen as the seconds of the day.
      return { what: whyParts.clock, words: (value) => timeWords(Number(value) * 1000, 'clock', 'UTC') };
    case 'sun':
      return id === 'elevation'
        ? { what: whyParts.sun_elevation, words: (value) => `${digitWords(Number(value), 1)}°` }
        : { what: memberWord('', 'event', id) };
    case 'mode':
      return { what: home.nameOf('mode', id) ?? enumWords(id), words: inWords(home.mode(id)) };
    case 'variable':
      return { what: home.nameOf('variable', id) ?? id, words: inWords(home.variable(id)) };
    case 'presence':
      return { what: personWords(id, home), words: wordsOf('condition.presence', 'is') };
    case 'availability':
      return { what: nameOrGone('device', id, home), words: wordsOf('condition.availability', 'is') };
    case 'scene':
      return { what: nameOrGone('scene', id, home), words: wordsOf('condition.scene', 'is') };
    case 'run':
      return {
        what: nameOrGone('automation', id, home),
        words: (value) => (value === true ? whyParts.running : whyParts.not_running),
      };
    case 'step':
      return { what: whyParts.wait, words: wordsOf('', 'timed_out') };
    case 'trigger':
      return id === 'id' ? { what: whyParts.trigger_id } : { what: whyParts.trigger_value, words: inWords(undefined) };
    case 'history': {
      const what = `${memberWord('', 'fn', fn)} ${featureWords(id, key, home)} (${lengthWords(Number(overS))})`;
      return { what, words: inWords(home.feature(id, key)) };
    }
    default:
      return { what: whyParts.result, words: inWords(undefined) };
  }
}

function personWords(id: string, home: RuleHome): string {
  const group = memberWord('', 'person', id);
  return home.nameOf('person', id) ?? (group === id ? pastWords.aPerson : group);
}

/** Whose samples are missing, as people call it. */
export function seriesWords(series: string, home: RuleHome): string {
  const [noun = '', key = ''] = series.split('/');
  switch (noun) {
    case 'hub':
      return pastWords.theHub;
    case 'hook':
      return whyParts.hook;
    case 'automation':
      return nameOrGone('automation', key, home);
    case 'mode':
    case 'presence':
    case 'variable':
      return namedWords(series, home).what;
    default:
      return key === '' ? nameOrGone('device', noun, home) : featureWords(noun, key, home);
  }
}

/** Says what started the run: from which value to which, when, and how late. */
export function triggerWords({ trigger }: AutomationRun, home: RuleHome): string {
  if (trigger.hidden === true) return pastWords.hidden;
  const { device, key, from, value, action, at, late_s: lateS } = trigger;
  const look = device !== null && key !== null ? home.feature(device, key) : undefined;
  const what = device === null ? '' : nameOrGone('device', device, home);
  const pressed = action === null ? undefined : (pageWords.presses[action] ?? enumWords(action));
  const words = (one: unknown): string => literalWords((one ?? null) as Json, look);
  const changed =
    value === null || value === undefined
      ? ''
      : from === null || from === undefined
        ? words(value)
        : pastWords.fromTo(words(from), words(value));
  const late = lateS >= 1 ? pastWords.late(Math.round(lateS)) : '';
  return [clockOf(at), what, pressed ?? changed, late].filter((one) => one !== '').join(' · ');
}

/** Who started it by its name, and whether its conditions counted. */
export function starterWords({ trigger }: AutomationRun): readonly string[] {
  const { type, by, skips_conditions: skips } = trigger;
  const who = by === undefined ? (type === 'run' ? [pastWords.byHand] : []) : [pastWords.startedBy(by.name)];
  return skips === true ? [...who, pastWords.withoutConditions] : who;
}

type Reason = Pick<WhyLine, 'code' | 'sentence' | 'fields'>;
type Place = { readonly home: RuleHome; readonly timeOf: (at: string) => string };

/** Why an automation ran or did not, as the household says it; English for what the page does not know yet. */
export function whyWords({ code, sentence, fields }: Reason, place: Place): string {
  const [, texts] = Object.entries(whyTexts).find(([known]) => known === code) ?? [];
  if (texts === undefined) return inEnglish(sentence);
  const words = firstFilled(texts, holesOf(fields, place));
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function holesOf(fields: Reason['fields'], { home, timeOf }: Place): Partial<Values> {
  const { device, key, reason, message, by, conditions = [] } = fields;
  const look = device === undefined || key === undefined ? undefined : home.feature(device, key);
  const value = (one: unknown) => (one === undefined ? undefined : literalWords(one as Json, look));
  const length = (seconds = 0) => (seconds >= 1 ? lengthWords(Math.round(seconds)) : undefined);
  const time = (at: string | undefined) => at && timeOf(at);
  const seen = conditions.flatMap(({ operands }) => operands).map((one) => seenWords(one, home));
  const hidden = fields.hidden === true ? whyParts.hidden : undefined;
  return known({
    feature: hidden ?? (device === undefined ? whyParts.value : featureWords(device, key, home)),
    device: hidden ?? (device === undefined ? whyParts.gone : nameOrGone('device', device, home)),
    value: value(fields.value),
    limit: value(fields.limit),
    rearms_at: value(fields.rearms_at),
    by: MOVERS[by ?? ''],
    reason: reasonWords({ reason: reason ?? null, message: message ?? null }),
    late: length(fields.late_s),
    after: length(fields.after_s),
    of: length(fields.of_s),
    from: time(fields.from),
    to: time(fields.to),
    conditions: listed([...new Set(seen)]),
  });
}

const MOVERS: Readonly<Record<string, string>> = { hand: whyParts.hand, hub: whyParts.hub, other: whyParts.other };

function known(values: Readonly<Record<string, string | undefined>>): Partial<Values> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => (value ?? '') !== ''));
}

/** How much of the day is over at a moment, on the clock of the hub's zone. */
export function shareOfDay(at: string, zone: string): number {
  const [hours = 0, minutes = 0] = localTime(at, zone).slice(11).split(':').map(Number);
  return (hours * 60 + minutes) / 1440;
}
