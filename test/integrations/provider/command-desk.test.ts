import { describe, expect, test } from 'vitest';
import type { DeviceCommand } from '#core/command/command-way.ts';
import type { ProviderCommand } from '#core/provider/provider.ts';
import { createCommandDesk, type LateAnswer } from '#integrations/provider/command-desk.ts';
import { createManualTime } from '#test/support/machine/manual-time.ts';

const NEVER = new AbortController().signal;

function openDesk() {
  const time = createManualTime();
  const late: LateAnswer[] = [];
  const desk = createCommandDesk({ ...time, random: () => 0.5, onLateAnswer: (one) => void late.push(one) });
  const outcomes: string[] = [];
  const send = (externalId: string, change: Partial<DeviceCommand> | Record<string, boolean>): void => {
    const isWhole = 'set' in change || 'action' in change;
    const set = isWhole ? new Map() : new Map(Object.entries(change as Record<string, boolean>));
    const command: DeviceCommand = { externalId, set, action: null, transitionMs: null, ...(isWhole ? change : {}) };
    desk.send(command).then(
      (evidence) => outcomes.push(`${externalId} ${evidence}`),
      (cause: Error) => outcomes.push(`${externalId} ${cause.message}`),
    );
  };
  const take = async (waitMs = 0): Promise<string[]> => (await desk.take(waitMs, NEVER)).map(inShort);
  /** What a call that waits has brought so far. */
  const wait = (waitMs: number, signal = NEVER): { got?: string[] } => {
    const waiting: { got?: string[] } = {};
    void desk.take(waitMs, signal).then((commands) => (waiting.got = commands.map(inShort)));
    return waiting;
  };
  const idOf = async (): Promise<string> => (await desk.take(0, NEVER))[0]?.id ?? 'none';
  return { time, desk, late, outcomes, send, take, wait, idOf };
}

const inShort = ({ externalId, set, action }: ProviderCommand): string =>
  [externalId, ...[...set].map(([key, value]) => `${key}=${JSON.stringify(value)}`), action ?? []].flat().join(' ');

describe('a command for a script', () => {
  test('waits for it, and ends a wait at once, together with the others of its turn', async () => {
    const { time, send, take, wait } = openDesk();
    send('heater', { on: true });
    expect(await take()).toEqual(['heater on=true']);
    const waiting = wait(25_000);
    await time.advance(500);
    expect(waiting.got).toBeUndefined();
    send('fan', { on: true });
    send('blind', { action: 'identify' });
    await time.advance(0);
    expect(waiting.got).toEqual(['fan on=true', 'blind identify']);
  });

  test('comes again after 2 s, with the same id, until it is answered', async () => {
    const { time, desk, send, take, idOf, outcomes } = openDesk();
    send('heater', { on: true });
    const id = await idOf();
    expect(await take()).toEqual([]);
    await time.advance(2_000);
    expect(await idOf()).toBe(id);
    desk.answer(id, { status: 'sent' });
    await time.advance(2_000);
    expect([await take(), outcomes]).toEqual([[], ['heater transport_ack']]);
    desk.answer(id, { status: 'done', values: new Map() });
    expect([desk.find(id), time.pendingMs()]).toEqual([undefined, []]);
  });

  test('comes again to a call that waits', async () => {
    const { time, send, take, wait } = openDesk();
    send('heater', { on: true });
    await take();
    const waiting = wait(25_000);
    await time.advance(1_999);
    expect(waiting.got).toBeUndefined();
    await time.advance(1);
    expect(waiting.got).toEqual(['heater on=true']);
  });

  test.each([
    ['done', { status: 'done', values: new Map() }, 'heater device_ack'],
    ['sent', { status: 'sent' }, 'heater transport_ack'],
    ['failed', { status: 'failed', reason: 'No power.' }, 'heater No power.'],
  ] as const)('that is %s tells the hub so', async (_status, answer, outcome) => {
    const { time, desk, send, idOf, outcomes, late } = openDesk();
    send('heater', { on: true });
    desk.answer(await idOf(), answer);
    await time.advance(60_000);
    expect([outcomes, late]).toEqual([[outcome], []]);
  });

  test('that nobody fetched fails after 8 s and is never delivered', async () => {
    const { time, send, take, outcomes } = openDesk();
    send('heater', { on: true });
    await time.advance(8_000);
    expect(outcomes).toEqual(['heater The script did not fetch the command in time.']);
    expect([await take(), time.pendingMs()]).toEqual([[], []]);
  });

  test('that was fetched is not delivered after its deadline, but its late outcome counts for two minutes', async () => {
    const { time, desk, send, take, idOf, outcomes, late } = openDesk();
    send('blind', { action: 'identify' });
    send('lamp', { on: true, brightness: true });
    const [, second] = await desk.take(0, NEVER);
    expect(second?.deadlineMs).toBe(time.clock.wallMs() + 8_000);
    await time.advance(8_000);
    expect([outcomes, await take()]).toEqual([['blind none', 'lamp none'], []]);
    desk.answer(second?.id ?? '', { status: 'sent' });
    desk.answer(second?.id ?? '', { status: 'failed', reason: 'No power.' });
    expect(late).toEqual([
      { externalId: 'lamp', keys: ['on', 'brightness'], outcome: 'transport_ack' },
      { externalId: 'lamp', keys: ['on', 'brightness'], outcome: { reason: 'No power.' } },
    ]);
    await time.advance(122_000);
    expect([await idOf(), time.pendingMs()]).toEqual(['none', []]);
  });

  test('gives way to a newer one for the same feature, delivered or not, so that nothing old comes last', async () => {
    const { time, send, take, outcomes } = openDesk();
    send('lamp', { on: true, brightness: true });
    send('lamp', { on: false });
    expect(await take()).toEqual(['lamp brightness=true', 'lamp on=false']);
    send('lamp', { brightness: false });
    send('other', { brightness: true });
    await time.advance(2_000);
    expect(await take()).toEqual(['lamp on=false', 'lamp brightness=false', 'other brightness=true']);
    send('fan', { on: true });
    send('fan', { on: false });
    await time.advance(0);
    expect([outcomes, await take()]).toEqual([['fan none'], ['fan on=false']]);
  });

  test('is one of at most 500 that wait, and of at most 100 or 256 KiB in one answer', async () => {
    const { time, send, take, outcomes } = openDesk();
    for (let index = 0; index < 501; index += 1) send(`d${index}`, { on: true });
    await time.advance(0);
    expect(outcomes).toEqual(['d500 Too many commands wait for the script.']);
    expect([await take(), await take()].map(({ length }) => length)).toEqual([100, 100]);
    const large = openDesk();
    for (const name of ['a', 'b', 'c']) large.send(name, { set: new Map([['x.text', 'x'.repeat(200_000)]]) });
    expect([await large.take(), await large.take()].map(({ length }) => length)).toEqual([1, 1]);
  });

  test('ends with its device, and with the run', async () => {
    const { time, desk, send, take, wait, outcomes } = openDesk();
    for (const name of ['a', 'b']) send(name, { on: true });
    desk.forgetDevice('a');
    expect(await take()).toEqual(['b on=true']);
    const waiting = wait(25_000);
    desk.clear('It is over.');
    await time.advance(0);
    expect([outcomes, waiting.got]).toEqual([['a The device was removed.', 'b It is over.'], []]);
    expect(time.pendingMs()).toEqual([]);
  });
});

describe('a call that waits for commands', () => {
  test('ends after its time, when the client leaves, and when a newer one comes', async () => {
    const { time, desk, wait, send } = openDesk();
    const short = wait(1_000);
    await time.advance(1_000);
    expect([short.got, desk.isAwaited()]).toEqual([[], false]);
    const leaving = new AbortController();
    const left = wait(25_000, leaving.signal);
    leaving.abort();
    await time.advance(0);
    expect([left.got, desk.isAwaited()]).toEqual([[], false]);
    const [older, newer] = [wait(25_000), wait(25_000)];
    send('lamp', { on: true });
    await time.advance(0);
    expect([older.got, newer.got]).toEqual([[], ['lamp on=true']]);
    expect(time.pendingMs()).toEqual([8_000]);
  });

  test('is one of at most 40 at once and 4 a second: two scripts of one name cannot chase each other', async () => {
    const { time, desk } = openDesk();
    let refused = 0;
    for (let index = 0; index < 1_000; index += 1) {
      await desk
        .take(0, NEVER)
        .catch((cause: { code: string }) => (refused += Number(cause.code === 'TOO_MANY_REQUESTS')));
    }
    expect(refused).toBe(960);
    await time.advance(1_000);
    for (let index = 0; index < 4; index += 1) await desk.take(0, NEVER);
    await expect(desk.take(0, NEVER)).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS' });
  });
});

test('no id means a command of an earlier run', async () => {
  const ids = await Promise.all(
    [0.1, 0.2].map(async (share) => {
      const desk = createCommandDesk({ ...createManualTime(), random: () => share, onLateAnswer: () => undefined });
      void desk.send({ externalId: 'a', set: new Map([['on', true]]), action: null, transitionMs: null });
      return (await desk.take(0, NEVER))[0]?.id;
    }),
  );
  expect(new Set(ids).size).toBe(2);
});
