import { expect, test } from 'vitest';
import { contentTag } from '#base/content/content-tag.ts';
import { createTimeZone } from '#base/time/time-zone.ts';
import { answerQuestion } from '#core/past/answer/answer.ts';
import type { AskedSeries, HistoryQuestion } from '#core/past/answer/question.ts';
import { DAY_MS, HOUR_MS, openHoursHome, type HoursHome } from '#test/storage/hours/hours-home.ts';

const START_MS = Date.parse('2026-03-10T00:00:00Z');
const DAYS = 12;
const POWER: AskedSeries = {
  name: 'd/power',
  shown: 'meter/power',
  device: null,
  key: 'power',
  kind: 'gauge',
  unit: 'W',
};

/** A series with a sample each minute, whose hours are made but for the last day. */
async function openHome(): Promise<HoursHome> {
  const home = openHoursHome('UTC');
  home.storage().history.describeSeries([{ name: POWER.name, kind: 'gauge', unit: 'W' }]);
  for (let minute = 0; minute < DAYS * 1_440; minute += 1) {
    home.add([{ series: POWER.name, atMs: START_MS + minute * 60_000, value: (minute * 7) % 101 }]);
  }
  await home.bench.time.advance(30_000);
  await home.rollUpAt(START_MS + (DAYS - 1) * DAY_MS + HOUR_MS);
  await home.seal();
  return home;
}

function questionOf(change: Partial<HistoryQuestion> = {}): HistoryQuestion {
  return {
    format: 'json',
    times: 'iso',
    resolution: 'points',
    points: 400,
    maxRows: 50_000,
    fromMs: START_MS + HOUR_MS / 2,
    toMs: START_MS + DAYS * DAY_MS,
    cursor: null,
    timeZone: 'UTC',
    coding: null,
    series: [POWER],
    ...change,
  };
}

const signal = new AbortController().signal;

test.each(['points', 'raw', '5m', '1h', '1d'] as const)(
  'a question about %s has the answer that the same samples and hours have outside',
  async (resolution) => {
    const home = await openHome();
    const question = questionOf({ resolution });
    const { bytes, tag, coding, next } = await home.storage().answerHistory(question, signal);
    const read = { ...home.storage(), timeZone: createTimeZone, isStopped: () => false };
    const expected = await answerQuestion(read, question);
    expect(Buffer.from(bytes).toString()).toBe(Buffer.from(expected.bytes).toString());
    expect(JSON.parse(Buffer.from(bytes).toString())).toMatchObject({ series: [{ series: 'meter/power' }] });
    expect({ tag, coding, next }).toEqual({ tag: contentTag(bytes), coding: null, next: null });
  },
);

test('other calls are answered while a question is under way', async () => {
  const home = await openHome();
  const order: string[] = [];
  const asked = home.storage().answerHistory(questionOf({ resolution: 'raw' }), signal);
  const answered = asked.then(() => order.push('question'));
  for (let call = 0; call < 3; call += 1) {
    await home.storage().meta.loadMeta();
    order.push('call');
  }
  await answered;
  expect(order).toEqual(['call', 'call', 'call', 'question']);
});

test('a question for which nobody waits is read no further', async () => {
  const home = await openHome();
  const gone = new AbortController();
  const asked = home.storage().answerHistory(questionOf({ resolution: 'raw' }), gone.signal);
  gone.abort();
  const { bytes } = await asked;
  const all = await home.storage().answerHistory(questionOf({ resolution: 'raw' }), signal);
  expect(bytes.length).toBeLessThan(all.bytes.length / 100);
});

test('a question whose client was gone before it was asked is read no further', async () => {
  const home = await openHome();
  const { bytes } = await home.storage().answerHistory(questionOf({ resolution: 'raw' }), AbortSignal.abort());
  const all = await home.storage().answerHistory(questionOf({ resolution: 'raw' }), signal);
  expect(bytes.length).toBeLessThan(all.bytes.length / 100);
});

test('a question that the end of the storage meets is refused', async () => {
  const home = await openHome();
  const asked = home.storage().answerHistory(questionOf({ resolution: 'raw' }), signal);
  const [answered] = await Promise.allSettled([asked, home.storage().close()]);
  expect(answered).toMatchObject({ status: 'rejected', reason: { code: 'RESTARTING' } });
});

test('nothing from before the time from which a series is shown is in the answer', async () => {
  const home = await openHome();
  const shownFromMs = START_MS + 10 * DAY_MS;
  const { bytes } = await home
    .storage()
    .answerHistory(questionOf({ times: 'ms', series: [{ ...POWER, shownFromMs }] }), signal);
  const [series] = (JSON.parse(Buffer.from(bytes).toString()) as { series: { rows: [number, number][] }[] }).series;
  expect(series?.rows.every(([atMs]) => atMs >= shownFromMs)).toBe(true);
  expect(series?.rows.length).toBeGreaterThan(50);
});

test('an answer is compressed where it is long', async () => {
  const home = await openHome();
  const plain = await home.storage().answerHistory(questionOf(), signal);
  const long = await home.storage().answerHistory(questionOf({ coding: 'gzip' }), signal);
  expect(long).toMatchObject({ coding: 'gzip', tag: plain.tag });
  expect(long.bytes.length).toBeLessThan(plain.bytes.length / 2);
  const short = questionOf({ coding: 'gzip', toMs: START_MS + HOUR_MS });
  expect((await home.storage().answerHistory(short, signal)).coding).toBe('gzip');
  expect((await home.storage().answerHistory({ ...short, points: 10 }, signal)).coding).toBeNull();
});
