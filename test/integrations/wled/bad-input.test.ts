import * as fc from 'fast-check';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { isSaid } from '#core/feature/feature-value.ts';
import { lightFromStatus } from '#integrations/wled/light.ts';
import { readSources } from '#integrations/peer/source.ts';
import {
  isBusyAnswer,
  type Lists,
  NO_LISTS,
  readNames,
  readPresets,
  readStatus,
} from '#integrations/wled/wled-message.ts';
import { createRecordingSink } from '#test/support/hub/recording-sink.ts';
import { createFastTime } from '#test/support/machine/fast-time.ts';
import { searchOf } from '#test/support/machine/runs.ts';
import { startWledLight, WLED_MAC } from '#test/support/wled/wled-light.ts';
import { createWledWorld } from '#test/support/wled/wled-world.ts';

const POLL = { interval: 10 };
const NOBODY = { sink: { reportRefused: () => undefined }, externalId: '' };
const INFO = { mac: WLED_MAC, name: 'Shelf', leds: { lc: 7 }, cpalcount: 1 };
const SEGMENT = { id: 0, start: 0, stop: 30, on: true, bri: 255, cct: 127, col: [[1, 2, 3, 4]], fx: 0, pal: 0, sx: 1 };

/** All that the hub makes of a message. */
function takeText(text: string, lists: Lists = NO_LISTS) {
  isBusyAnswer(text);
  const status = readStatus(text);
  if (status === undefined) return undefined;
  const light = lightFromStatus(status, lists);
  return { light, values: readSources(light.sources, ({ read }) => read?.(status), NOBODY) };
}

const statusOf = (state: unknown, info: unknown = INFO): string => JSON.stringify({ state, info });

describe('I1: what a light says', () => {
  test('never throws, and each value is one that its feature can have', () => {
    const wrong = fc.oneof(
      fc.json().map((text) => JSON.parse(text) as unknown),
      fc.double(),
      fc.integer(),
    );
    const lists = {
      effects: new Map([[0, 'Solid']]),
      palettes: new Map([[0, 'Default']]),
      presets: new Map([[1, 'One']]),
    };
    const member = fc.constantFrom(...Object.keys(SEGMENT), 'n', 'frz', 'c3');
    const stateMember = fc.constantFrom('bri', 'on', 'transition', 'ps', 'pl', 'nl', 'udpn', 'lor', 'seg');
    const infoMember = fc.constantFrom(
      'name',
      'ver',
      'brand',
      'product',
      'release',
      'leds',
      'wifi',
      'live',
      'cpalcount',
      'fs',
    );
    const changes = fc.record({
      segment: fc.dictionary(member, wrong, { maxKeys: 4 }),
      state: fc.dictionary(stateMember, wrong, { maxKeys: 3 }),
      info: fc.dictionary(infoMember, wrong, { maxKeys: 3 }),
      count: fc.nat(3),
    });
    fc.assert(
      fc.property(changes, ({ segment, state, info, count }) => {
        const seg = Array.from({ length: count }, (_, id) => ({ ...SEGMENT, id, ...segment }));
        const text = statusOf({ on: true, bri: 9, seg, ...state }, { ...INFO, ...info });
        const taken = takeText(text, lists);
        for (const [key, value] of taken?.values ?? []) {
          const feature = taken?.light.description.features.find((one) => one.key === key);
          expect([key, value, feature !== undefined && isSaid(feature, value)]).toEqual([key, value, true]);
        }
      }),
      searchOf(5_000),
    );
  });

  test('is refused if it is cut anywhere, or is any other text', () => {
    const whole = statusOf({ on: true, bri: 9, seg: [SEGMENT] });
    for (let length = 0; length < whole.length; length += 1) expect(takeText(whole.slice(0, length))).toBeUndefined();
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        readNames(text);
        readPresets(text);
        expect(takeText(text)).toBeUndefined();
      }),
      searchOf(5_000),
    );
  });

  test.each<[string, object, readonly string[]]>([
    ['a brightness above 255', { bri: 256 }, ['brightness']],
    ['a brightness below zero', { bri: -1 }, ['brightness']],
    ['a brightness that is infinite', { bri: 'INFINITY' }, ['brightness']],
    ['a color with a channel too many bits', { seg: [{ ...SEGMENT, col: [[256, 0, 0, 0]] }] }, ['color', 'x.white']],
    ['a color of text', { seg: [{ ...SEGMENT, col: ['ff0000'] }] }, ['color', 'x.white']],
    ['a temperature beyond its scale', { seg: [{ ...SEGMENT, cct: 99_999 }] }, ['color_temperature']],
    ['a switch that is no switch', { seg: [{ ...SEGMENT, on: 't' }] }, ['on']],
  ])('%s is no value, and the others are', (_what, change, missing) => {
    const text = statusOf({ on: true, bri: 9, seg: [SEGMENT], ...change }).replace('"INFINITY"', '1e999');
    const values = takeText(text)?.values;
    for (const key of missing) expect(values?.has(key)).toBe(false);
    expect(values?.get('x.effect_speed')).toBe(1);
  });

  test('names with markup and control characters are one line of text, and no two are alike', () => {
    const names = readNames(
      JSON.stringify(['<b>\u0007A\u202e</b>\n', 'A', 'A', 'A (2)', '', null, 7, 'x'.repeat(9_999)]),
    );
    expect(names?.get(0)).toBe('<b> A </b>');
    expect(names?.get(7)).toHaveLength(64);
    expect(new Set(names?.values()).size).toBe(names?.size);
    expect(readPresets('{"__proto__":{"n":"x"},"1":{"n":""},"999":{},"x":{}}')).toEqual(new Map([[1, 'Preset 1']]));
  });

  test('a million effects, presets or segments are as many as a light can have', () => {
    expect(readNames(JSON.stringify(Array.from({ length: 1_000_000 }, (_, id) => `E${id}`)))?.size).toBe(256);
    const presets = Object.fromEntries(Array.from({ length: 100_000 }, (_, id) => [id, { n: 'P' }]));
    expect(readPresets(JSON.stringify(presets))?.size).toBe(250);
    const seg = Array.from({ length: 100_000 }, (_, id) => ({ ...SEGMENT, id: id % 300 }));
    const taken = takeText(statusOf({ on: true, seg }));
    expect(new Set((taken?.light.sources ?? []).map(({ feature }) => feature.component)).size).toBe(33);
  });

  test('the largest real light fits into what a device may have', () => {
    const names = (count: number) => new Map(Array.from({ length: count }, (_, id) => [id, `Effect name ${id}`]));
    const lists = { effects: names(220), palettes: names(72), presets: names(250) };
    const seg = Array.from({ length: 32 }, (_, id) => ({ ...SEGMENT, id }));
    const { light } = takeText(statusOf({ on: true, seg }), lists) ?? {};
    expect(JSON.stringify(light?.description).length).toBeLessThan(128 * 1024);
    expect(light?.description.features.length).toBeLessThan(2_000);
  });
});

async function openLight() {
  const light = await startWledLight('strip');
  onTestFinished(light.close);
  const world = createWledWorld(light.host, createFastTime(20));
  const sink = createRecordingSink();
  const abort = new AbortController();
  const running = world.create().run(sink, abort.signal);
  onTestFinished(async () => {
    abort.abort();
    await running;
  });
  const until = (state: string): Promise<void> =>
    vi.waitFor(() => expect(sink.statuses.at(-1)?.state).toBe(state), POLL);
  await until('connected');
  return { light, sink, until };
}

test('I1: a flood of pushes makes few reports, and the last one counts', async () => {
  const { light, sink } = await openLight();
  const before = sink.calls.get('reportValues') ?? 0;
  for (let index = 0; index < 5_000; index += 1) light.set({ bri: 1 + (index % 250) });
  light.set({ bri: 255 });
  await vi.waitFor(() => expect(sink.device(WLED_MAC).values.get('brightness')).toBe(100), POLL);
  expect((sink.calls.get('reportValues') ?? 0) - before).toBeLessThan(2_500);
});

test('I1: a list that changes with each push is read once in a while', async () => {
  const { light } = await openLight();
  const before = light.reads.length;
  for (let index = 0; index < 500; index += 1) light.setInfo({ fs: { pmt: index }, name: `Name ${index}` });
  await vi.waitFor(() => expect(light.reads.length).toBeGreaterThanOrEqual(before + 3), POLL);
  expect(light.reads.length).toBeLessThan(before + 12);
});

test.each([
  ['a message that is too long', 'x'.repeat(300_000)],
  ['a state that is too long', `{"state":{"on":true,"x":"${'x'.repeat(300_000)}"}}`],
])('I1: %s ends the connection, and the light is back when it is well', async (_what, text) => {
  const { light, sink, until } = await openLight();
  light.says(text);
  await vi.waitFor(() => expect(sink.statuses.some(({ state }) => state === 'error')).toBe(true), POLL);
  await until('connected');
});

test.each([
  ['HTML', '<html>'],
  ['100 KB of nothing', 'x'.repeat(100_000)],
  ['another form', '[]'],
  ['too much', 'x'.repeat(2_000_000)],
])('I1: a light that answers with %s shows it, and is back when it is well', async (_what, answer) => {
  const { light, sink, until } = await openLight();
  light.setFault({ answer });
  light.drop();
  await vi.waitFor(() => expect(sink.statuses.at(-1)?.code).toBe('BAD_ANSWER'), POLL);
  light.setFault();
  await until('connected');
});
