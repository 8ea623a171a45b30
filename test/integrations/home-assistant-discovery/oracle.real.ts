import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { isJsonObject, isSameJson, type JsonObject, type JsonValue } from '#base/json.ts';
import { converted, toUnitOf } from '#core/feature/measure.ts';
import { unitFromSpelling } from '#core/feature/units.ts';
import { isVocabularyWord } from '#core/feature/vocabulary.ts';
import { UTF_8 } from '#integrations/home-assistant-discovery/message/encoding.ts';
import { createDiscoveredHome, nameOf, type DiscoveredHome } from '#test/support/discovery/discovered-home.ts';
import { ANY, meaningOf, wishOf, type Judged } from '#test/support/discovery/oracle-meaning.ts';
import { askHomeAssistant } from '#test/support/discovery/ask-oracle.ts';
import {
  readCorpus,
  readOwnCases,
  type OracleCase,
  type OracleMessage,
  type OracleStep,
} from '#test/support/discovery/template-judge.ts';

/*
 * Messages, and what Home Assistant 2025.4.4 made of them, beside what the hub makes of them. The fixtures have what it
 * said; with HEARTHD_HOME_ASSISTANT=VENV/bin/python and HEARTHD_TEST_RENEW=1 it is asked again about the hub's own cases.
 */

const PYTHON = process.env['HEARTHD_HOME_ASSISTANT'] ?? '';
/** Empty where nobody is to be asked, so that nothing is skipped there. */
const RENEWED = PYTHON !== '' && process.env['HEARTHD_TEST_RENEW'] === '1' ? [PYTHON] : [];

/** Where the hub means to differ, by case and entity; each with its reason. */
const ON_PURPOSE: readonly (readonly [pattern: RegExp, reason: string])[] = [
  [/^sensor volume gal /, 'a feature without a word of the vocabulary keeps the unit that it came with'],
  [/^no unique id /, 'Home Assistant names such an entity by a counter of its own, the hub by its topic'],
  [/^(?:binary expire|expires \w+ own\d+) #0: available/, 'a sensor with expire_after becomes stale, not unavailable'],
  [/^attributes tracker .*: attribute /, 'where somebody is stays out of the hub'],
  [
    /^attributes of the state itself .*: attribute /,
    'a state message whole is no attribute: entities have what is in it',
  ],
  [
    /^attributes water heater .* 43\.3 is undefined/,
    'Home Assistant begins with a temperature that nobody has reported',
  ],
  [/: thermostat_mode "off" is undefined \(undefined\)/, 'Home Assistant shows off where a message names no mode'],
  [/^Centralite-3156105 #2 /, 'Home Assistant keeps all as it was for a mode that it does not know; the hub shows it'],
  [
    /^esphome climate #5 climate.turn_on /,
    'without a topic for power Home Assistant chooses a mode; the hub has no such command',
  ],
  [/^climate full #0 .*preset "none" is undefined/, 'Home Assistant begins with a preset that nobody has reported'],
  [
    /^light own\d+ #\d+ light\.turn_on .* is \[\]$/,
    'the hub refuses a setting that a light does not have; Home Assistant leaves it out, or makes a color of a white',
  ],
  [
    /^light own1[567] #1 .*unknown is .*brightness/,
    'Home Assistant shows no brightness until it knows whether it is on',
  ],
  [/^climate own64 .*69\.80000000000001/, 'the hub leaves out the digits that the conversion to Fahrenheit invents'],
  [/^climate own65 #1 .* 19 is 19\.25 /, 'Home Assistant rounds to the precision of the thermostat'],
  [/^climate own68 #0 .*preset "none" is undefined/, 'Home Assistant begins with a preset that nobody has reported'],
  [
    /^fan own75 .*x\.oscillating false is undefined/,
    'Home Assistant begins with no swinging, which nobody has reported',
  ],
  [/^zwave lock #3 .* is null/, 'a bolt in a state that the message has no word for may be anywhere'],
  [
    /^(?:valetudo vacuum #4|ring alarm #6|lawn mower #3|vacuum own81 #2|lawn_mower own82 #6|alarm_control_panel own86 #7) .* is null/,
    'Home Assistant keeps the last state for a word that is none; the hub does not know it',
  ],
  [/^lock own89 #[89] .*"open" is null/, 'Home Assistant keeps the open latch beside a state that was reset'],
  [/^update own93 #1 .*unknown is /, 'the hub shows the installed version also while the latest is not known'],
];

type Answer = {
  readonly removed?: readonly string[];
  readonly entities?: Readonly<Record<string, Judged>>;
  readonly published?: readonly (readonly [string, string, number, boolean])[];
  readonly error?: string;
};

/** The capability of this source that is one of these. */
function capabilityOf(home: DiscoveredHome, source: string, wanted: readonly string[]): string | undefined {
  const own = home.features().filter((feature) => feature.source === source);
  return own.find(({ capability }) => wanted.includes(ANY) || wanted.includes(capability))?.capability;
}

function isSame(
  home: DiscoveredHome,
  [source, capability]: readonly [string, string],
  [wanted, judged]: readonly [JsonValue, Judged],
): boolean {
  const got = home.values.get(nameOf(source, capability));
  if (isJsonObject(wanted)) {
    return (
      isJsonObject(got ?? null) &&
      Object.entries(wanted).every(([name, number]) => {
        const member = isJsonObject(got ?? null) ? (got as Readonly<Record<string, JsonValue>>)[name] : undefined;
        return Math.abs(Number(member) - Number(number)) < 0.001;
      })
    );
  }
  if (typeof wanted !== 'number' || typeof got !== 'number')
    return got === wanted || (typeof got === 'string' && Number(got) === wanted);
  // The hub has whole percents.
  if (capability === 'brightness') return Math.abs(got - wanted) <= 0.51 || (got === 1 && wanted < 1);
  if (/temperature/.test(capability) && judged.attributes?.['min_temp'] !== undefined) {
    // It shows those of a water heater whole, and of others with one digit behind the point.
    return Math.abs(got - wanted) <= (judged.attributes['operation_list'] === undefined ? 0.051 : 0.51);
  }
  // Home Assistant shows some units as others, rounded; the hub has one unit for each word.
  const { unit_of_measurement: spelling } = judged.attributes ?? {};
  const unit = unitFromSpelling(typeof spelling === 'string' ? spelling : '');
  const scale = isVocabularyWord(capability) ? toUnitOf(capability, unit) : undefined;
  const inUnit = scale === undefined ? wanted : converted(wanted, scale);
  return Math.abs(got - inUnit) <= Math.max(0.51 * (scale?.factor ?? 0), Math.abs(inUnit) * 1e-9);
}

type Tally = {
  states: number;
  attributes: number;
  commands: number;
  availabilities: number;
  readonly different: string[];
};

function messagesOf({ publish }: OracleStep): readonly OracleMessage[] {
  return publish === undefined ? [] : [publish].flat();
}

/** Bytes in these cases are Latin-1. */
function parsed(payload: unknown): unknown {
  const { base64 } = payload as { readonly base64?: unknown };
  return typeof base64 === 'string' ? JSON.parse(Buffer.from(base64, 'base64').toString('latin1')) : payload;
}

function sentNames(steps: readonly OracleStep[]): Known['sent'] {
  const all = steps.flatMap(messagesOf);
  const topics = new Set(all.flatMap(({ payload }) => (payload as JsonObject)?.['json_attributes_topic'] ?? []));
  const namesIn = (value: unknown): readonly string[] =>
    typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([name, inner]) => [name, ...namesIn(inner)])
      : [];
  return new Set(all.flatMap(({ topic, payload }) => (topics.has(topic) ? namesIn(parsed(payload)) : [])));
}

function playCase({ name, steps, answers }: OracleCase, tally: Tally): void {
  const home = createDiscoveredHome();
  const domains = new Map<string, string>();
  const last = new Map<string, Judged>();
  const own = ownAttributes(answers);
  const sent = sentNames(steps);
  steps.forEach((step, at) => {
    const answer = (answers[at] ?? {}) as Answer;
    const messages = messagesOf(step);
    home.fresh.clear();
    for (const { topic, payload } of messages) home.publish(topic, payload);
    home.advance((step.wait_s ?? 0) * 1_000);
    for (const [source, judged] of Object.entries(answer.entities ?? {})) {
      if (judged.domain !== undefined) domains.set(source, judged.domain);
      last.set(source, judged);
    }
    for (const source of answer.removed ?? []) last.delete(source);
    if (step.call === undefined) compareStates(home, { name: `${name} #${at}`, last, domains, own, sent }, tally);
    else playCall(home, { step, answer, name: `${name} #${at}`, domains, last, own, sent }, tally);
  });
}

type Known = {
  readonly name: string;
  readonly last: ReadonlyMap<string, Judged>;
  readonly domains: ReadonlyMap<string, string>;
  /** The attributes that an entity has before a message came, by its source. */
  readonly own: ReadonlyMap<string, ReadonlySet<string>>;
  /** The names in the messages that tell attributes. */
  readonly sent: ReadonlySet<string>;
};

function ownAttributes(answers: OracleCase['answers']): Known['own'] {
  const own = new Map<string, ReadonlySet<string>>();
  for (const { entities = {} } of answers as readonly Answer[])
    for (const [source, { attributes = {} }] of Object.entries(entities))
      if (!own.has(source)) own.set(source, new Set(Object.keys(attributes)));
  return own;
}

/** What is too old has no availability of its own in the hub: it is stale. */
function isThereIn(home: DiscoveredHome, last: Known['last']): boolean {
  const isStale = (source: string): boolean => [...home.stale].some((name) => name.startsWith(`${source} `));
  return home.isAvailable() && ![...last.keys()].every(isStale);
}

/** What the publisher tells besides the state, whole. Home Assistant shows it among attributes of its own. */
function compareAttributes(home: DiscoveredHome, { name, last, own, sent }: Known, tally: Tally): void {
  for (const [source, { state, attributes: judged = {} }] of last) {
    // There it has none while it is away.
    if (state === 'unavailable') continue;
    const feature = home.features().find((one) => one.source === source && one.capability.endsWith('_attributes'));
    const got = feature === undefined ? undefined : home.values.get(nameOf(source, feature.capability));
    const ours = isJsonObject(got ?? null) ? (got as JsonObject) : {};
    const theirs = Object.fromEntries(
      Object.entries(judged).filter(([one]) => sent.has(one) && own.get(source)?.has(one) !== true),
    );
    for (const one of new Set([...Object.keys(ours), ...Object.keys(theirs)])) {
      const [value, wanted] = [ours, theirs].map((all) => (Object.hasOwn(all, one) ? all[one] : undefined));
      if (value !== undefined && wanted !== undefined && isSameJson(value, wanted)) tally.attributes += 1;
      else
        tally.different.push(
          `${name} ${source}: attribute ${one} ${JSON.stringify(wanted)} is ${JSON.stringify(value)}`,
        );
    }
  }
}

function compareStates(home: DiscoveredHome, known: Known, tally: Tally): void {
  const { name, last, domains } = known;
  compareAttributes(home, known, tally);
  const shown = [...last.values()].filter(({ state }) => state !== null);
  const isThere = shown.some(({ state }) => state !== 'unavailable');
  if (shown.length > 0) {
    if (isThereIn(home, last) === isThere) tally.availabilities += 1;
    else tally.different.push(`${name}: available is ${String(isThere)}`);
  }
  for (const [source, judged] of last) {
    const domain = domains.get(source) ?? '';
    // The hub keeps what it knew where Home Assistant says unknown; it may not know more.
    const own = [...home.fresh].filter((one) => one.startsWith(`${source} `) && !one.endsWith('_attributes'));
    if (judged.state === 'unknown' && own.length > 0 && meaningOf(domain, judged).length === 0)
      tally.different.push(`${name} ${source}: unknown is ${JSON.stringify(own)}`);
    for (const [capabilities, wanted] of meaningOf(domain, judged)) {
      const capability = capabilityOf(home, source, capabilities);
      // Where nothing reports it, Home Assistant shows what it has sent, or a value to begin with; the hub shows none.
      if (capability !== undefined && home.featureOf(source, capability)?.readable === false) continue;
      if (capability !== undefined && isSame(home, [source, capability], [wanted, judged])) tally.states += 1;
      else {
        const got = home.values.get(nameOf(source, capability ?? ''));
        tally.different.push(
          `${name} ${source}: ${capabilities.join()} ${JSON.stringify(wanted)} is ${JSON.stringify(got)} (${capability})`,
        );
      }
    }
  }
}

/** As the judge writes payloads. */
function spelled(payload: string | Buffer): JsonValue {
  if (typeof payload === 'string') return payload;
  const text = UTF_8.decode(payload);
  return text === undefined ? { base64: payload.toString('base64') } : text;
}

type Call = Known & { readonly step: OracleStep; readonly answer: Answer };

function playCall(home: DiscoveredHome, { step, answer, name, domains, last }: Call, tally: Tally): void {
  const call = step.call ?? '';
  const wish = wishOf(call, (step.data ?? {}) as Readonly<Record<string, JsonValue>>);
  if (wish === undefined || answer.error !== undefined) return;
  const source = step.of ?? [...domains].find(([, domain]) => domain === call.split('.')[0])?.[0] ?? '';
  // Home Assistant refuses the whole message for a class that it does not know, and has no state for what is off by
  // default; the hub shows what it understands.
  if ((last.get(source)?.state ?? null) === null) return;
  const set = wish.set.map(([capability, value]) => {
    return [capabilityOf(home, source, [capability]) ?? capability, value] as const;
  });
  const sent = home.command(source, set, wish.transitionMs) ?? [];
  // Whether the broker is to keep it is not seen by those who hear it live.
  const got = sent.map(({ topic, payload }) => [topic, spelled(payload)]);
  const wanted = (answer.published ?? []).map(([topic, payload]) => [topic, payload]);
  if (JSON.stringify(got) === JSON.stringify(wanted)) tally.commands += 1;
  else
    tally.different.push(
      `${name} ${call} ${JSON.stringify(step.data ?? {})} of ${source}: ${JSON.stringify(wanted)} is ${JSON.stringify(got)}`,
    );
}

type Counts = Omit<Tally, 'different'>;

function played(cases: readonly OracleCase[]): { readonly unexplained: readonly string[]; readonly counts: Counts } {
  const tally: Tally = { states: 0, attributes: 0, commands: 0, availabilities: 0, different: [] };
  for (const one of cases) playCase(one, tally);
  const { states, attributes, commands, availabilities } = tally;
  return {
    unexplained: tally.different.filter((line) => !ON_PURPOSE.some(([pattern]) => pattern.test(line))),
    counts: { states, attributes, commands, availabilities },
  };
}

describe('what publishers announce means what it means in Home Assistant', () => {
  test('states, availability and commands of the corpus', () => {
    const { unexplained, counts } = played(readCorpus());
    expect(unexplained).toEqual([]);
    expect(counts).toEqual({ states: 1013, attributes: 20, commands: 346, availabilities: 904 });
  });

  test('states, availability and commands of cases for each setting of each component', () => {
    const { unexplained, counts } = played(readOwnCases());
    expect(unexplained).toEqual([]);
    expect(counts).toEqual({ states: 1074, attributes: 71, commands: 496, availabilities: 846 });
  });

  test.each(RENEWED)('the fixture of the cases is written anew', { timeout: 600_000 }, (python) => {
    const cases = readOwnCases();
    const answered = askHomeAssistant(python, cases);
    expect(answered.length).toBe(cases.length);
    const lines = answered.map((one) => `${JSON.stringify(one)}\n`);
    const file = join(import.meta.dirname, '../../fixtures/home-assistant/own.jsonl.gz');
    writeFileSync(file, gzipSync(lines.join(''), { level: 9 }));
  });
});
