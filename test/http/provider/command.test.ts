import { describe, expect, test } from 'vitest';
import { expectBelow, startStopwatch } from '#test/support/machine/bounds.ts';
import { type Answer, inShort, openRunningProvider, type ProviderApp } from './provider-app.ts';

const TAKE = 'GET /provider/weather/command?wait=0';
type Taken = { id: string; device: string; set?: unknown; do?: string; deadline: string };

const take = async ({ call }: ProviderApp): Promise<Taken[]> => (await call(TAKE)).json['commands'] as Taken[];
const give = async ({ asOwner, device }: ProviderApp, body: object): Promise<string> => {
  const { json } = await asOwner(`POST /device/${device('heater')?.selector}/command`, body);
  return json.code ?? String(json['id']);
};
const stateOf = async ({ asOwner }: ProviderApp, id: string): Promise<string> => {
  const { json } = await asOwner(`GET /command/${id}`);
  return `${String(json['status'])} ${String(json['evidence'])}`;
};
const answer = (app: ProviderApp, id: string, body: object): Promise<Answer> =>
  app.call(`POST /provider/weather/command/${id}`, body);
/** Takes the only command that is due. */
const takeOne = async (app: ProviderApp): Promise<Taken> => {
  const [one, ...more] = await take(app);
  if (one === undefined || more.length > 0) throw new Error(`${more.length + 1} commands`);
  return one;
};

describe('a command to a device of a script', () => {
  test('is confirmed by the values that the script saw, and by nothing less', async () => {
    const app = await openRunningProvider();
    const givenMs = Date.now();
    const id = await give(app, { set: { on: true }, transition_ms: 400 });
    const command = await takeOne(app);
    expect(command).toEqual({
      id: expect.any(String),
      device: 'heater',
      set: { on: true },
      transition_ms: 400,
      deadline: expect.any(String),
    });
    expect(Date.parse(command.deadline)).toBeGreaterThan(givenMs);
    expect(await stateOf(app, id)).toBe('sent none');
    expect((await answer(app, command.id, { status: 'sent' })).status).toBe(204);
    expect(await stateOf(app, id)).toBe('sent transport_ack');
    expect((await answer(app, command.id, { status: 'done' })).status).toBe(204);
    expect(await stateOf(app, id)).toBe('sent device_ack');
    await app.call('POST /provider/weather/state', { reports: [{ device: 'heater', values: { on: true } }] });
    expect(await stateOf(app, id)).toBe('confirmed state_report');
  });

  test('is confirmed by done with values that fit, not by others', async () => {
    const app = await openRunningProvider();
    const id = await give(app, { set: { on: true } });
    const first = await takeOne(app);
    await answer(app, first.id, { status: 'done', values: { on: false } });
    expect(await stateOf(app, id)).toBe('sent device_ack');
    const next = await give(app, { set: { on: true } });
    await answer(app, (await takeOne(app)).id, { status: 'done', values: { on: true } });
    expect([await stateOf(app, id), await stateOf(app, next)]).toEqual([
      'superseded device_ack',
      'confirmed state_report',
    ]);
  });

  test('without state is confirmed by done', async () => {
    const app = await openRunningProvider();
    const id = await give(app, { do: 'identify' });
    const command = await takeOne(app);
    expect(command).toMatchObject({ device: 'heater', do: 'identify' });
    await answer(app, command.id, { status: 'done' });
    expect(await stateOf(app, id)).toBe('confirmed device_ack');
  });

  test('fails with the reason of the script', async () => {
    const app = await openRunningProvider();
    const id = await give(app, { set: { 'x.level': 'boost' } });
    await answer(app, (await takeOne(app)).id, { status: 'failed', reason: 'The fuse is out.' });
    const { json } = await app.asOwner(`GET /command/${id}`);
    expect(json).toMatchObject({ status: 'failed', results: [{ reason: 'The fuse is out.' }] });
  });

  test('that does not fit its device never reaches the script', async () => {
    const app = await openRunningProvider();
    for (const body of [{ set: { on: 'ON' } }, { set: { 'x.level': 'x' } }, { set: { of: true } }, { do: 'reset' }])
      expect(await give(app, body)).toBe('VALIDATION_FAILED');
    expect(await take(app)).toEqual([]);
  });

  test.each<[object, string]>([
    [{ status: 'confirmed' }, '422 VALIDATION_FAILED'],
    [{ status: 'sent', values: { on: true } }, '422 VALIDATION_FAILED'],
    [{ status: 'done', reason: 'x' }, '422 VALIDATION_FAILED'],
    [{ status: 'done', values: { on: 'ON' } }, '422 VALIDATION_FAILED'],
    [{ status: 'done', values: { of: true } }, '422 VALIDATION_FAILED'],
    [{ status: 'failed', reason: 'a\nb' }, '422 VALIDATION_FAILED'],
    [{}, '422 VALIDATION_FAILED'],
  ])('with the answer %j is refused, and still waits for one', async (body, expected) => {
    const app = await openRunningProvider();
    const id = await give(app, { set: { on: true } });
    const command = await takeOne(app);
    expect(inShort(await answer(app, command.id, body))).toBe(expected);
    expect(await stateOf(app, id)).toBe('sent none');
    expect((await answer(app, command.id, { status: 'done', values: { on: true } })).status).toBe(204);
  });

  test('is unknown once it was answered, and so is one of nobody', async () => {
    const app = await openRunningProvider();
    await give(app, { set: { on: true } });
    const { id } = await takeOne(app);
    await answer(app, id, { status: 'done', values: { on: true } });
    for (const one of [id, 'nothing'])
      expect(inShort(await answer(app, one, { status: 'done' }))).toBe('404 NOT_FOUND');
  });
});

describe('a wait for commands', () => {
  test('ends with the first command', async () => {
    const app = await openRunningProvider();
    const waiting = app.call('GET /provider/weather/command?wait=30');
    await give(app, { set: { on: true } });
    expect((await waiting).json['commands']).toEqual([expect.objectContaining({ set: { on: true } })]);
  });

  test('A8: ends with the token, and takes no command with it', async () => {
    const app = await openRunningProvider();
    const waiting = app.call('GET /provider/weather/command?wait=30');
    const passedMs = startStopwatch();
    await app.hub.auth.apiTokens.endToken(app.tokenId);
    await give(app, { set: { on: true } });
    expect(inShort(await waiting)).toBe('401 INVALID_TOKEN');
    expectBelow('from the end of a token to the end of its wait, ms', passedMs(), 5_000);
    const refused = await app.call(TAKE, undefined, { token: await app.addToken('knx') });
    expect(inShort(refused)).toBe('403 FORBIDDEN');
  });

  test('A8: without commands ends within seconds after the token was revoked', async () => {
    const app = await openRunningProvider();
    const waiting = app.call('GET /provider/weather/command?wait=30');
    await app.hub.auth.apiTokens.endToken(app.tokenId);
    const passedMs = startStopwatch();
    expect(inShort(await waiting)).toBe('401 INVALID_TOKEN');
    expectBelow('from the end of a token to the end of its wait, ms', passedMs(), 5_000);
  });

  test('ends when a newer one comes, and when the client leaves', async () => {
    const app = await openRunningProvider();
    const older = app.call('GET /provider/weather/command?wait=30');
    const leaving = new AbortController();
    const newer = app.call('GET /provider/weather/command?wait=30', undefined, { signal: leaving.signal });
    expect((await older).json).toEqual({ commands: [] });
    leaving.abort();
    expect((await newer).json).toEqual({ commands: [] });
  });

  test('of a thousand at once leaves one', async () => {
    const app = await openRunningProvider();
    const all = Array.from({ length: 1_000 }, () => app.call('GET /provider/weather/command?wait=30'));
    await give(app, { set: { on: true } });
    const answers = await Promise.all(all);
    const outcomes = answers.map((one) => [inShort(one), (one.json['commands'] as unknown[] | undefined)?.length]);
    const count = (status: string, commands?: number): number =>
      outcomes.filter(([one, length]) => one === status && length === commands).length;
    const refused = count('429 TOO_MANY_REQUESTS');
    expect([count('200', 1), count('200', 0) + refused]).toEqual([1, 999]);
    expect(refused).toBeGreaterThan(800);
  });

  test('by HEAD takes nothing', async () => {
    const app = await openRunningProvider();
    await give(app, { set: { on: true } });
    await app.call(TAKE.replace('GET', 'HEAD'));
    expect(await take(app)).toHaveLength(1);
  });

  test.each(['61', '-1', 'x', '1.5'])('of %s s is refused', async (wait) => {
    const app = await openRunningProvider();
    expect(inShort(await app.call(`GET /provider/weather/command?wait=${wait}`))).toBe('400 INVALID_QUERY');
  });
});
