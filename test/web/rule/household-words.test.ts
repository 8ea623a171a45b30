import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import type { AutomationRun, WhyLine } from '#web/client/api.ts';
import type { RuleHome } from '#web/rule/editor/rule-home.ts';
import { TRIGGERS } from '#web/rule/sentence/form.ts';
import { hubText } from '#test/support/page/hub-text.ts';
import { names } from './names.ts';

const SRC = join(import.meta.dirname, '../../../src');
const HOME = { ...names, features: () => [], options: () => [], capabilities: () => [], recipients: () => [] };
const home = HOME as unknown as RuleHome;
const ID = '01a22f09-4aa4-77f0-a218-d1d1f4236b9c';
const AT = '2026-11-22T17:04:11.000Z';
const LUX = { device: 'hall-lux', key: 'illuminance' };

/** The modules of the page as the build makes them for a language: its words in the place of the English ones. */
async function inLanguage(language: string) {
  vi.resetModules();
  const files = ['web/strings/en', 'words/en'].flatMap((folder) =>
    readdirSync(join(SRC, folder), { recursive: true, encoding: 'utf8' }).map((file) => join(SRC, folder, file)),
  );
  for (const path of files.filter((file) => file.endsWith('.ts'))) {
    if (language === 'en') vi.doUnmock(path);
    else vi.doMock(path, () => vi.importActual(path.replace('/en/', `/${language}/`)));
  }
  // One after the other: modules that are mocked while another import waits for them come in English.
  const { rulePast: past } = await import('#web/strings/en/rule/past.ts');
  const texts = await import('#words/en/runs.ts');
  const why = await import('#words/en/why.ts');
  const automations = await import('#words/en/automations.ts');
  const reasons = await import('#web/strings/rule/reason-words.ts');
  const trace = await import('#web/rule/past/trace-words.ts');
  return { trace, reasons, texts, why, automations, past };
}
type Language = Awaited<ReturnType<typeof inLanguage>>;

const holesOf = (text: string): object =>
  Object.fromEntries([...text.matchAll(/\{(\w+)\}/g)].map(([, hole = '']) => [hole, hole.endsWith('_s') ? 5_400 : 3]));

/** What is said by a code, in an order that is the same in each language. */
function coded({ trace, reasons, texts, why, automations, past }: Language): readonly string[] {
  const condition = { pointer: '', result: 'false', operands: [{ ...LUX, value: 31, unknown: null }] };
  const fields = {
    ...LUX,
    value: 31,
    limit: 26,
    rearms_at: 20,
    by: 'other',
    reason: { id: 'busy', with: {} },
    late_s: 5_400,
    after_s: 312,
    of_s: 5_400,
    from: AT,
    to: AT,
    conditions: [condition],
  };
  const place = { home, timeOf: () => '17:04' };
  const told = (code: string, of: object): string =>
    trace.whyWords({ code, fields: of, sentence: hubText('in English') } as unknown as WhyLine, place);
  return [
    ...Object.keys(why.whyTexts).flatMap((code) => [told(code, fields), told(code, LUX), told(code, {})]),
    ...Object.entries(texts.runTexts).map(([id, text]) =>
      reasons.reasonWords({ reason: { id, with: holesOf(text) as Record<string, number> }, message: hubText(id) }),
    ),
    ...Object.keys(texts.unknownTexts).map((id) => reasons.unknownWords(id)),
    ...Object.keys(automations.automationTexts).map((code) =>
      reasons.stateReasonWords({ code, message: hubText(code), reason: { id: code, with: {} }, pointers: [] }),
    ),
    ...Object.values(past.missingReasons),
  ];
}

const OPERANDS = [
  { ...LUX, value: 31 },
  { ...LUX, value: 31, quality: 'restored' },
  { ...LUX, value: null, unknown: 'sun_does_not_rise' },
  { device: ID, key: 'link_quality', value: 3 },
  { name: 'clock', value: 34_842 },
  { name: 'sun/elevation', value: -6.123_456 },
  { name: 'sun/sunset', value: null, unknown: 'sun_does_not_set' },
  { name: 'mode/home', value: 'night' },
  { name: 'mode/heating_season', value: 'very_cold' },
  { name: 'variable/bedtime', value: '22:30' },
  { name: `presence/${ID}`, value: 'away' },
  { name: 'presence/anyone', value: ['home', 'away'] },
  { name: `availability/${ID}`, value: 'offline' },
  { name: `scene/${ID}`, value: 'partly' },
  { name: `run/${ID}`, value: true },
  { name: 'step/s1/timed_out', value: true },
  { name: 'trigger/id', value: 't1' },
  { name: 'trigger/value', value: 31 },
  { name: 'history/hall-lux/illuminance/mean/5400', value: 31 },
  { name: 'result', value: null, unknown: 'not_calculable' },
];
const SERIES = ['hub/recording', 'hub/update', 'hook/t1', `automation/${ID}`, 'mode/home', 'variable/bedtime'];
const MORE_SERIES = [`presence/${ID}`, 'hall-lux/illuminance', `${ID}/illuminance`, ID, 'hall-lux'];

/** What is said of the home, with the names that people gave. */
function named({ trace }: Language): readonly string[] {
  const run = (trigger: object): AutomationRun =>
    ({
      trigger: { device: null, key: null, from: null, value: null, action: null, at: AT, late_s: 0, ...trigger },
    }) as AutomationRun;
  return [
    ...OPERANDS.map((one) => trace.seenWords({ unknown: null, ...one } as never, home)),
    ...[...SERIES, ...MORE_SERIES].map((series) => trace.seriesWords(series, home)),
    ...Object.keys(TRIGGERS).map((type) => trace.triggerWords(run({ type, late_s: 5_400 }), home)),
    trace.triggerWords(run({ type: 'feature', ...LUX, from: 50, value: 31 }), home),
    trace.triggerWords(run({ type: 'occurrence', device: 'remote', key: 'button', action: 'hold_release' }), home),
    ...trace.starterWords(run({ type: 'run', by: { id: ID, name: 'Ada' }, skips_conditions: true })),
    ...trace.starterWords(run({ type: 'run' })),
  ];
}

const LEAKS = /[0-9a-f]{8}-|[a-z]_[a-z]|[{}]|\b\d{4,}\b|undefined|null|NaN|\bt1\b|\bs1\b|\/[a-z]/;
const ENGLISH = /\b(the|were|nobody|because|which|happened|could|recorded|with|something)\b/i;

afterEach(() => vi.resetModules());

test.each(['en', 'de', 'fr', 'es'])(
  'traces, near misses and "why not" are said in the language %s without ids, keys and seconds',
  async (language) => {
    const own = await inLanguage(language);
    expect([...coded(own), ...named(own)].filter((text) => text.trim() === '' || LEAKS.test(text))).toEqual([]);
  },
);

test.each(['de', 'fr', 'es'])('none of them is English in the language %s', async (language) => {
  const own = await inLanguage(language);
  const [words, ofHome] = [coded(own), named(own)];
  const english = coded(await inLanguage('en'));
  expect(words).toHaveLength(english.length);
  expect(words.filter((text, at) => text === english[at])).toEqual([]);
  expect([...words, ...ofHome].filter((text) => ENGLISH.test(text))).toEqual([]);
});
