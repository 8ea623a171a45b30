import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createManualTime } from '#test/support/machine/manual-time.ts';
import { openWholeHub } from '#test/support/hub/whole-hub.ts';
import { type Bench, createBench } from '#test/storage/storage-harness.ts';

const HOUR_MS = 3_600_000;
const TURN_MS = Date.UTC(2026, 11, 1);
const KEYS = Array.from({ length: 16 }, (_, at) => `text_${at}`);
const LIMIT = 1_048_576;

/** Texts that get hardly smaller, each another one. */
const noise = (seed: string): string =>
  createHash('sha512').update(seed).digest('base64') + createHash('sha512').update(`${seed}.`).digest('base64');

const LEFT_OUT = { kind: 'integration', id: 'flood', reason: 'month' };

const nextTurn = (): Promise<void> => wait(1);

async function openHub(bench: Bench, startMs: number) {
  const time = createManualTime(startMs);
  const hub = await openWholeHub({ bench, time });
  const isUp = (id: string): boolean => hub.home.supervisor.statusOf(id).state === 'connected';
  /** Code is read while time goes on. */
  const untilUp = async (id: string): Promise<void> => {
    for (; !isUp(id); await time.advance(100)) await nextTurn();
  };
  await untilUp('simulated-home');
  const isNew = hub.home.accounts.users().length === 0;
  const { token } = isNew ? await hub.addPerson('ada', 'owner') : await hub.logIn('ada@home.test');
  /** Time goes on until the hub has answered. */
  const during = async <Result>(work: Promise<Result>): Promise<Result> => {
    const ended = new AbortController();
    const noted = work.finally(() => ended.abort());
    for (; !ended.signal.aborted; await time.advance(20)) await nextTurn();
    return noted;
  };
  const call = async (line: string, body?: unknown) => {
    const answer = await during(hub.call(line, { token, body }));
    expect([line, answer.status < 300 ? 'done' : answer]).toEqual([line, 'done']);
    return answer.json;
  };
  let sent = 0;
  const report = async (times: number): Promise<void> => {
    for (let count = 0; count < times; count += 1) {
      sent += 1;
      const values = Object.fromEntries(KEYS.map((key) => [key, noise(`${startMs} ${sent} ${key}`)]));
      await call('POST /provider/flood/state', { reports: [{ device: 'd', values }] });
      await time.advance(1_000);
    }
  };
  const idOf = (selector: string): string => hub.home.devices.findDevice(selector)?.id ?? '';
  const health = async () =>
    (await call('GET /health'))['history'] as { bytes: number; open_month: unknown; left_out: { id: string }[] };
  /** Lets the storage write what it has, and the hub look at it. */
  const settle = async (): Promise<void> => {
    await bench.time.advance(7 * HOUR_MS);
    await time.advance(HOUR_MS / 6);
  };
  return {
    hub,
    untilUp,
    time,
    health,
    settle,
    /** Until there is no more room, as the disk says and not only the estimate between two looks. */
    fill: async (): Promise<void> => {
      for (let round = 0; round < 20; round += 1) {
        await report(18);
        await settle();
        if ((await health()).left_out.length > 0) return;
      }
      throw new Error('it found room for all');
    },
    call,
    stop: async (): Promise<void> => {
      await during(hub.stop());
      await hub.home.storage.close();
    },
    report,
    switchLamp: async (on: boolean): Promise<void> => {
      await call('POST /device/kitchen-ceiling/command', { set: { on } });
      await time.advance(2_000);
    },
    told: () =>
      hub.home.notifications
        .all()
        .filter(({ builtIn, resolvedAtMs }) => builtIn === 'history_paused' && resolvedAtMs === null)
        .map(({ title }) => title),
    rows: async (selector: string, key: string) => {
      const range = { series: `${idOf(selector)}/${key}`, fromMs: -Infinity, toMs: Infinity };
      const { values, gaps } = await hub.home.storage.history.readSlice(range, null);
      return values.map((value, index) => value ?? gaps.get(index));
    },
  };
}

const TOLD = 'Flood reports more than can be recorded';

test('a script that floods the month is left out and named, a lamp beside it is not, until the month is over', async () => {
  const bench = createBench(undefined, TURN_MS - 3 * HOUR_MS);
  const first = await openHub(bench, TURN_MS - 3 * HOUR_MS);
  await first.call('PATCH /history/settings', { max_bytes: LIMIT });
  await first.call('PUT /provider/flood', { name: 'Flood' });
  await first.untilUp('flood');
  const features = KEYS.map((key) => ({ key, capability: `x.${key}`, kind: 'state', value_type: 'string' }));
  const { selector } = await first.call('PUT /provider/flood/device/d', { name: 'D', type: 'other', features });
  const flooding = String(selector);
  await first.switchLamp(true);
  await first.fill();
  expect((await first.health()).left_out).toMatchObject([LEFT_OUT]);
  expect(first.told()).toEqual([TOLD]);
  await first.switchLamp(false);
  await first.report(20);
  await first.settle();
  const full = await first.health();
  expect(full.open_month).toMatchObject({ max_bytes: LIMIT / 2 });
  expect(full.bytes, 'a quarter of the month, and what the home has').toBeLessThan(LIMIT / 4);
  expect((await first.rows(flooding, 'text_0')).at(-1)).toEqual({ gap: 'paused' });
  expect(await first.rows('kitchen-ceiling', 'on')).toEqual([true, false]);
  await first.stop();

  const second = await openHub(bench, TURN_MS - HOUR_MS);
  await second.call('PUT /provider/flood', { name: 'Flood' });
  await second.untilUp('flood');
  const kept = (await second.rows(flooding, 'text_0')).length;
  await second.report(20);
  expect((await second.rows(flooding, 'text_0')).length, 'it has no more room after a restart').toBeLessThanOrEqual(
    kept + 2,
  );
  expect((await second.health()).left_out).toMatchObject([LEFT_OUT]);
  await second.switchLamp(true);
  expect((await second.rows('kitchen-ceiling', 'on')).at(-1)).toBe(true);

  await second.time.advance(HOUR_MS);
  await second.report(2);
  expect((await second.rows(flooding, 'text_0')).at(-1)).toBe(noise(`${TURN_MS - HOUR_MS} 22 text_0`));
  expect((await second.health()).left_out).toEqual([]);
  expect(second.told()).toEqual([]);
  for (let count = 0; count < 2; count += 1) {
    await second.settle();
    await second.report(1);
  }
  await second.settle();
  const { months } = await second.hub.home.storage.history.readUsage();
  expect(
    months.map(({ month }) => month),
    'the month before stays',
  ).toEqual(['2026-11', '2026-12']);
});

test('a person who gives the history more room lets a script record again at once', async () => {
  const bench = createBench(undefined, TURN_MS - 3 * HOUR_MS);
  const { call, untilUp, report, fill, health, told, rows } = await openHub(bench, TURN_MS - 3 * HOUR_MS);
  await call('PATCH /history/settings', { max_bytes: LIMIT });
  await call('PUT /provider/flood', { name: 'Flood' });
  await untilUp('flood');
  const features = KEYS.map((key) => ({ key, capability: `x.${key}`, kind: 'state', value_type: 'string' }));
  const { selector } = await call('PUT /provider/flood/device/d', { name: 'D', type: 'other', features });
  await fill();
  expect((await health()).left_out).toMatchObject([LEFT_OUT]);
  await call('PATCH /history/settings', { max_bytes: 10 * LIMIT });
  await expect.poll(async () => (await health()).left_out).toEqual([]);
  expect(told()).toEqual([]);
  await report(1);
  expect((await rows(String(selector), 'text_0')).at(-1)).toBeTypeOf('string');
});
