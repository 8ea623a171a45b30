import { expect, onTestFinished, test } from 'vitest';
import { type ExporterChange, type ExporterSettings, markKey } from '#core/exporter/exporter.ts';
import type { NewSample } from '#core/past/history/history-store.ts';
import type { ExportSample } from '#exporters/export-sample.ts';
import { failed } from '#exporters/sender.ts';
import { createNumberedHistory, createTestReceiver, keepExporters, openTestExporters } from './exporter-home.ts';
import { createManualTime } from '#test/support/machine/manual-time.ts';

const START_MS = Date.UTC(2026, 10, 22);
const SETTINGS: ExporterSettings = {
  type: 'line_protocol',
  name: null,
  url: 'http://192.168.1.20:8086/write?db=home',
  broker: null,
  mayReachHub: false,
  filter: { deviceIds: null, roomIds: null, keys: null },
  enabled: true,
};
const CHANGE: ExporterChange = { settings: SETTINGS };

function samples(count: number, fromMs = START_MS): NewSample[] {
  return Array.from({ length: count }, (_, index) => ({
    series: `d${index % 3}/power`,
    atMs: fromMs + Math.floor(index / 2) * 100,
    value: index,
  }));
}
const valuesOf = (taken: readonly ExportSample[]): unknown[] => taken.map(({ value }) => value);

async function openWorld() {
  const time = createManualTime(START_MS + 3_600_000);
  const receiver = createTestReceiver();
  const history = createNumberedHistory();
  const kept = keepExporters();
  const seen: { events: unknown[] } = { events: [] };
  const open = async () => {
    const opened = await openTestExporters({
      kept,
      history,
      clock: time.clock,
      startTimer: time.startTimer,
      openSender: receiver.open,
      onChange: ({ exporter, state }, isRemoved) => {
        seen.events.push([exporter.id.length > 0, isRemoved ? 'removed' : state.status]);
      },
      onGap: (_, gap) => seen.events.push(['gap', gap]),
    });
    onTestFinished(() => opened.stop());
    return opened;
  };
  return { time, receiver, history, kept, seen, open };
}

test('every sample arrives in its order, and those that come later follow', async () => {
  const { time, receiver, history, open } = await openWorld();
  history.append(...samples(50));
  const exporters = await open();
  const { exporter } = await exporters.addExporter({ ...CHANGE, from: 'beginning' });
  await time.advance(10_000);
  expect(valuesOf(receiver.taken)).toEqual([...Array(50).keys()]);
  history.append({ series: 'd/on', atMs: START_MS + 60_000, value: true });
  await time.advance(5_000);
  expect(receiver.taken.at(-1)).toMatchObject({ series: 'd/on', value: true });
  expect(exporters.findExporter(exporter.id)?.state).toMatchObject({
    status: 'ok',
    behindS: 0,
    ackedAtMs: START_MS + 60_000,
    error: null,
  });
});

test('what a series has more in one tenth of a second gets a time of its own', async () => {
  const { time, receiver, history, open } = await openWorld();
  const press = { series: 'd/action', atMs: START_MS, value: 'single' };
  history.append(press, { ...press, value: 'double' }, { ...press, series: 'e/action' });
  await (await open()).addExporter({ ...CHANGE, from: 'beginning' });
  await time.advance(1_000);
  expect(receiver.taken.map(({ series, atMs }) => [series, atMs - START_MS])).toEqual([
    ['d/action', 0],
    ['d/action', 1],
    ['e/action', 0],
  ]);
});

test('a receiver that was away gets everything, and no queue grows meanwhile', async () => {
  const { time, receiver, history, seen, open } = await openWorld();
  const exporters = await open();
  receiver.answer = () => failed('connection_failed', 'nobody there');
  const { exporter } = await exporters.addExporter({ ...CHANGE, from: 'now' });
  const state = () => exporters.findExporter(exporter.id)?.state;
  expect(state()?.status).toBe('waiting');
  for (let day = 0; day < 7; day += 1) {
    history.append(...samples(20, START_MS + day * 86_400_000));
    await time.advance(86_400_000);
  }
  expect(state()).toMatchObject({ status: 'failing', error: { code: 'connection_failed' } });
  expect(state()?.behindS).toBeGreaterThan(6 * 86_400);
  // Pauses grow to five minutes.
  expect(receiver.requests.length).toBeLessThan(7 * 288 * 3);
  receiver.answer = () => ({ type: 'taken' });
  await time.advance(400_000);
  expect(receiver.taken).toHaveLength(140);
  expect(state()).toMatchObject({ status: 'ok', behindS: 0, failingSinceMs: null });
  expect(seen.events).toEqual([
    [true, 'waiting'],
    [true, 'failing'],
    [true, 'ok'],
  ]);
});

test('after a restart it goes on where the receiver was', async () => {
  const { time, receiver, history, open } = await openWorld();
  history.append(...samples(6));
  const first = await open();
  await first.addExporter({ ...CHANGE, from: 'beginning' });
  await time.advance(10_000);
  await first.stop();
  history.append(...samples(6, START_MS + 60_000));
  await open();
  await time.advance(10_000);
  expect(receiver.taken).toHaveLength(12);
  expect(valuesOf(receiver.taken.slice(6))).toEqual([0, 1, 2, 3, 4, 5]);
});

test('S6: after a power cut it sends again what the disk did not have, since others may get those numbers', async () => {
  const { time, receiver, history, kept, open } = await openWorld();
  history.append(...samples(12));
  history.setSafe(7);
  const first = await open();
  const { exporter } = await first.addExporter({ ...CHANGE, from: 'beginning' });
  await time.advance(10_000);
  expect(receiver.taken).toHaveLength(12);
  expect(JSON.parse(kept.meta.get(markKey(exporter.id)) ?? '')[0]).toBe(7);
  await first.stop();
  receiver.taken.length = 0;
  await open();
  await time.advance(10_000);
  expect(valuesOf(receiver.taken)).toEqual([6, 7, 8, 9, 10, 11]);
});

test('a bad sample is found, set aside and shown, and the others arrive', async () => {
  const { time, receiver, history, kept, open } = await openWorld();
  history.append(...samples(5).map((one) => ({ ...one, atMs: START_MS })));
  history.append(...samples(40).map((one) => ({ ...one, atMs: START_MS + 100 })));
  const error = {
    code: 'sample_refused',
    message: 'the receiver answered 400',
    detail: 'field type conflict',
  } as const;
  receiver.answer = (some) =>
    some.some(({ value }) => value === 4 || value === 17) ? { type: 'refused', error } : { type: 'taken' };
  const exporters = await open();
  const { exporter } = await exporters.addExporter({ ...CHANGE, from: 'beginning' });
  await time.advance(20_000);
  expect(valuesOf(receiver.taken)).toEqual(
    [...Array(4).keys(), ...Array(40).keys()].filter((value, index) => value !== 17 && !(index > 3 && value === 4)),
  );
  const state = exporters.findExporter(exporter.id)?.state;
  expect(state).toMatchObject({ status: 'ok', setAsideCount: 3 });
  expect(state?.setAside.map(({ value }) => value)).toEqual([17, 4, 4]);
  expect(state?.setAside[0]?.error).toEqual(error);
  await exporters.stop();
  const again = await open();
  expect(again.findExporter(exporter.id)?.state).toMatchObject({ setAsideCount: 3, setAside: state?.setAside });
  expect(kept.records.size).toBe(1);
});

test('a receiver that refuses everything makes no sample a bad one', async () => {
  const { time, receiver, history, open } = await openWorld();
  history.append(...samples(9));
  const error = {
    code: 'sample_refused',
    message: 'the receiver answered 400',
    detail: 'database is required',
  } as const;
  receiver.answer = () => ({ type: 'refused', error });
  receiver.answerProbe = () => ({ type: 'refused', error });
  const exporters = await open();
  const { exporter } = await exporters.addExporter({ ...CHANGE, from: 'beginning' });
  await time.advance(60_000);
  const state = () => exporters.findExporter(exporter.id)?.state;
  expect(state()).toMatchObject({ status: 'failing', setAsideCount: 0, error: { detail: 'database is required' } });
  receiver.answer = () => ({ type: 'taken' });
  await time.advance(400_000);
  expect(valuesOf(receiver.taken)).toEqual([...Array(9).keys()]);
  expect(state()).toMatchObject({ status: 'ok', setAsideCount: 0 });
});

test('of samples that are set aside the newest hundred are kept, and all are counted', async () => {
  const { time, receiver, history, open } = await openWorld();
  history.append(...samples(150).map((one) => ({ ...one, value: 'x'.repeat(4_000) })));
  receiver.answer = () => ({ type: 'refused', error: { code: 'sample_refused', message: 'no', detail: null } });
  const exporters = await open();
  const { exporter } = await exporters.addExporter({ ...CHANGE, from: 'beginning' });
  await time.advance(60_000);
  const state = exporters.findExporter(exporter.id)?.state;
  expect(state?.setAsideCount).toBe(150);
  expect(state?.setAside).toHaveLength(100);
  expect(JSON.stringify(state?.setAside).length).toBeLessThan(60_000);
});

test('what the history forgets before the receiver has it is a gap, counted once', async () => {
  const { time, receiver, history, seen, open } = await openWorld();
  history.append(...samples(10));
  receiver.answer = () => failed('connection_failed', 'nobody there');
  const exporters = await open();
  const { exporter } = await exporters.addExporter({ ...CHANGE, from: 'beginning' });
  await time.advance(10_000);
  history.forget(6);
  await time.advance(600_000);
  receiver.answer = () => ({ type: 'taken' });
  await time.advance(600_000);
  expect(valuesOf(receiver.taken)).toEqual([5, 6, 7, 8, 9]);
  expect(seen.events.filter((event) => Array.isArray(event) && event[0] === 'gap')).toEqual([
    ['gap', { samples: 5, fromMs: null }],
  ]);
  expect(exporters.findExporter(exporter.id)?.state).toMatchObject({ gaps: 1, lostSamples: 5 });
  // What was gone before it began is none.
  const later = await exporters.addExporter({ ...CHANGE, from: 'beginning' });
  await time.advance(10_000);
  expect(exporters.findExporter(later.exporter.id)?.state.gaps).toBe(0);
});

test('a history that was lost is a gap, counted once, and what comes after it is sent', async () => {
  const { time, receiver, history, seen, open } = await openWorld();
  history.append(...samples(10));
  const first = await open();
  const { exporter } = await first.addExporter({ ...CHANGE, from: 'beginning' });
  await time.advance(10_000);
  await first.stop();
  history.lose();
  const exporters = await open();
  await time.advance(10_000);
  history.append({ series: 'd/on', atMs: START_MS + 60_000, value: true });
  await time.advance(10_000);
  expect(receiver.taken.at(-1)).toMatchObject({ series: 'd/on', value: true });
  expect(seen.events.filter((event) => Array.isArray(event) && event[0] === 'gap')).toEqual([
    ['gap', { samples: 0, fromMs: START_MS + 400 }],
  ]);
  expect(exporters.findExporter(exporter.id)?.state).toMatchObject({ gaps: 1, lostSamples: 0 });
});

test('what a person deletes before the receiver has it is a gap, counted once and only when it is passed', async () => {
  const { time, receiver, history, seen, open } = await openWorld();
  history.append(...samples(10));
  receiver.answer = () => failed('connection_failed', 'nobody there');
  const exporters = await open();
  const { exporter } = await exporters.addExporter({ ...CHANGE, from: 'beginning' });
  await time.advance(10_000);
  for (const number of [2, 3, 8]) history.hide(number);
  await time.advance(600_000);
  const gaps = () => seen.events.filter((event) => Array.isArray(event) && event[0] === 'gap');
  expect(gaps()).toEqual([]);
  receiver.answer = () => ({ type: 'taken' });
  await time.advance(600_000);
  expect(valuesOf(receiver.taken)).toEqual([0, 3, 4, 5, 6, 8, 9]);
  expect(gaps()).toMatchObject([
    ['gap', { samples: 2 }],
    ['gap', { samples: 1 }],
  ]);
  expect(exporters.findExporter(exporter.id)?.state).toMatchObject({ gaps: 2, lostSamples: 3 });
  // It has what was deleted later.
  history.hide(9);
  await time.advance(60_000);
  expect(exporters.findExporter(exporter.id)?.state.gaps).toBe(2);
});

test('it begins now, or at a time, and leaves out what was before', async () => {
  const { time, receiver, history, open } = await openWorld();
  history.append(...samples(10));
  // Not on disk yet: the mark has to stay before it.
  history.setSafe(3);
  const exporters = await open();
  await exporters.addExporter({ ...CHANGE, from: 'now' });
  history.append({ series: 'd/on', atMs: time.clock.wallMs() + 1, value: 'new' });
  await time.advance(6_000);
  expect(valuesOf(receiver.taken)).toEqual(['new']);
  receiver.taken.length = 0;
  await exporters.addExporter({ ...CHANGE, from: { atMs: START_MS + 300 } });
  await time.advance(6_000);
  expect(valuesOf(receiver.taken)).toEqual([6, 7, 8, 9, 'new']);
});

test('the history is sent again from where a person says', async () => {
  const { time, receiver, history, open } = await openWorld();
  history.append(...samples(10));
  const exporters = await open();
  const { exporter } = await exporters.addExporter({ ...CHANGE, from: 'now' });
  await time.advance(6_000);
  expect(receiver.taken).toEqual([]);
  await exporters.replayExporter(exporter.id, 'beginning');
  await time.advance(6_000);
  expect(receiver.taken).toHaveLength(10);
});

test('only the series of the filter are sent, and the others do not hold it up', async () => {
  const { time, receiver, history, open } = await openWorld();
  history.append(...samples(30), { series: 'd1/on', atMs: START_MS + 5_000, value: true });
  const exporters = await open();
  const filter = { deviceIds: null, roomIds: null, keys: ['on'] };
  const { exporter } = await exporters.addExporter({ settings: { ...SETTINGS, filter }, from: 'beginning' });
  await time.advance(10_000);
  expect(receiver.taken.map(({ series }) => series)).toEqual(['d1/on']);
  expect(exporters.findExporter(exporter.id)?.state.behindS).toBe(0);
});

test('presence is sent only where the filter names the person', async () => {
  const { time, receiver, history, open } = await openWorld();
  history.append(
    { series: 'mode/home', atMs: START_MS, value: 'away' },
    { series: 'presence/ada', atMs: START_MS, value: 'away' },
    { series: 'presence/bob', atMs: START_MS, value: 'home' },
  );
  const exporters = await open();
  await exporters.addExporter({ ...CHANGE, from: 'beginning' });
  await time.advance(10_000);
  expect(receiver.taken.map(({ series }) => series)).toEqual(['mode/home']);
  const filter = { deviceIds: null, roomIds: null, keys: ['ada'] };
  await exporters.addExporter({ settings: { ...SETTINGS, filter }, from: 'beginning' });
  await time.advance(10_000);
  expect(receiver.taken.map(({ series }) => series)).toEqual(['mode/home', 'presence/ada']);
});

test('one that is off sends nothing, and goes on later without a gap', async () => {
  const { time, receiver, history, open } = await openWorld();
  const exporters = await open();
  const { exporter } = await exporters.addExporter({ ...CHANGE, from: 'now' });
  await exporters.updateExporter(exporter.id, (old) => ({ settings: { ...old, enabled: false } }));
  history.append(...samples(5, time.clock.wallMs()));
  await time.advance(60_000);
  expect(receiver.taken).toEqual([]);
  expect(exporters.findExporter(exporter.id)?.state.status).toBe('off');
  await exporters.updateExporter(exporter.id, (old) => ({ settings: { ...old, enabled: true } }));
  await time.advance(10_000);
  expect(receiver.taken).toHaveLength(5);
});

test('at most 2,000 samples a second are sent', async () => {
  const { time, receiver, history, open } = await openWorld();
  history.append(
    ...Array.from({ length: 12 }, (_, part) => samples(500).map((one) => ({ ...one, atMs: part * 100 }))).flat(),
  );
  await (await open()).addExporter({ ...CHANGE, from: 'beginning' });
  await time.advance(1_000);
  expect(receiver.taken.length).toBeLessThanOrEqual(3_500);
  await time.advance(2_500);
  expect(receiver.taken).toHaveLength(6_000);
});

test('credentials are kept apart, go with their receiver, and are removed with the exporter', async () => {
  const { kept, open } = await openWorld();
  const exporters = await open();
  const credentials = { token: 'secret' };
  const { exporter } = await exporters.addExporter({ ...CHANGE, credentials, from: 'now' });
  expect([...kept.secrets.values()]).toEqual([{ credentials, target: SETTINGS.url }]);
  expect(JSON.stringify([...kept.records, ...kept.meta])).not.toContain('secret"}');
  const renamed = await exporters.updateExporter(exporter.id, (old) => ({ settings: { ...old, name: 'Influx' } }));
  expect(renamed.exporter.secret).toBe(exporter.secret);
  const moved = { ...SETTINGS, url: 'http://192.168.1.66/write' };
  const known = await exporters.updateExporter(exporter.id, () => ({ settings: moved }));
  expect(known.exporter.secret).toBeNull();
  expect(kept.secrets.size).toBe(0);
  await exporters.updateExporter(exporter.id, () => ({ settings: moved, credentials }));
  expect(kept.secrets.size).toBe(1);
  await exporters.removeExporter(exporter.id);
  expect([kept.secrets.size, kept.records.size, kept.meta.size]).toEqual([0, 0, 0]);
});

test('there can be eight', async () => {
  const exporters = await (await openWorld()).open();
  for (let index = 0; index < 8; index += 1) await exporters.addExporter({ ...CHANGE, from: 'now' });
  await expect(exporters.addExporter({ ...CHANGE, from: 'now' })).rejects.toMatchObject({ code: 'LIMIT_REACHED' });
});

test('a part that the hub fails to send is tried again, and those behind it follow', async () => {
  const { time, receiver, history, open } = await openWorld();
  history.append(...samples(50));
  let fails = 0;
  receiver.answer = () => {
    fails += 1;
    if (fails < 3) throw new Error('a bug');
    return { type: 'taken' };
  };
  const exporters = await open();
  await exporters.addExporter({ ...CHANGE, from: 'beginning' });
  await time.advance(60_000);
  expect(valuesOf(receiver.taken)).toEqual([...Array(50).keys()]);
});
